"""Where models are contaminated on purpose, so that the truth is known.

For now it holds the tasks: problems of any number that no model has seen, each with an exact
verifier and with varied ways to solve it (`wellworn.lab.tasks`), puzzles for the demo
(`wellworn.lab.knights_and_knaves`), and the way of a small checkpoint to llama.cpp
(`wellworn.lab.export`).
"""
