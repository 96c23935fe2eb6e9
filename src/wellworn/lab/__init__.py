"""Where models are contaminated on purpose, so that the truth is known.

For now it holds one task: puzzles that no model has seen, each with an answer that a
program can check (`wellworn.lab.knights_and_knaves`).
"""
