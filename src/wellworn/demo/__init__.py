"""Small sets of our own that need no download: suspects, and references like them.

Both are halves of one shuffled pool of fresh puzzles, 12 each, as the function `demo` of
`wellworn.lab.knights_and_knaves` writes them.
"""
