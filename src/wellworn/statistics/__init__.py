"""From scores to what may be claimed: labels and scores meet here, and only here."""
