"""One summary of an audit, and the ways to show it: in the terminal and as JSON."""
