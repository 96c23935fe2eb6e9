"""RL with verifiable rewards: one loop, and algorithms as settings of it."""
