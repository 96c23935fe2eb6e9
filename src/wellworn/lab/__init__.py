"""Where models are contaminated on purpose, so that the truth is known.

    tasks/ ─▶ injection ─▶ pretraining ─▶ rl/ ─▶ auditing ─▶ results ─▶ table
    problems   halves       a base model   on     as every    AUCs and    of many
    and rewards A and B     (models,       one    user's      verdicts    experiments
                            decoding)      half   model                   (study)

`config` says what an experiment is, `experiment` what its folder holds, `stages` how it is made.
`exports/` writes the same for verl and TRL, `trl` has TRL train in place of our loop, `export`
writes GGUF files. `knights_and_knaves` has the puzzles that two tasks are about.
"""
