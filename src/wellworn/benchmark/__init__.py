"""RL-MIA and the protocols around it: suites, the dual stage, paraphrases, costs.

The benchmark is that of Self-Critique (arXiv 2510.09259). Its files are read from a folder or
fetched from their public repository; none is part of this package.
"""
