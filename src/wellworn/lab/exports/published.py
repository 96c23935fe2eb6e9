"""The hyper-parameters of RL-MIA's training scripts, and DAPO's, for other trainers.

RL-MIA (arXiv:2510.09259) trains with a fork of verl. Epochs, minibatches and GPUs differ by its
benchmarks, all else is shared. A task of the lab takes those of the benchmark that is most like
it; nothing there is like Countdown and code, which take those of Knights and Knaves. In its
scripts GSM8K alone is trained by PPO, and all else by GRPO; here any algorithm trains any task,
with the benchmark's numbers for the dose and the algorithm's for the step. There is no script of
DAPO: its numbers are those of verl's recipe (arXiv:2503.14476).
"""

from typing import NamedTuple

from wellworn.errors import BadInput


class Benchmark(NamedTuple):
    """What differs by benchmark."""

    name: str
    epochs: int
    mini_batch: int
    """Prompts whose completions make one step of the optimizer."""
    gpus: int


KNIGHTS = Benchmark("RL-MIA, K&K", epochs=3, mini_batch=2, gpus=8)
BENCHMARKS = {
    "knights": KNIGHTS,
    "sat": Benchmark("RL-MIA, SAT", epochs=4, mini_batch=2, gpus=8),
    "arithmetic": Benchmark("RL-MIA, GSM8K", epochs=5, mini_batch=4, gpus=4),
}
"""By the task that is most like each."""

BATCH = 128  # prompts a rollout
VALIDATION = 512  # prompts
PROMPT = 1024  # the longest, in tokens
RESPONSE = 4096  # the longest, in tokens
ROLLOUTS = 8  # completions of each prompt
TEMPERATURE = 1.0
VALIDATION_TEMPERATURE = 0.6
ACTOR_RATE = "1e-6"  # constant
CRITIC_RATE = "1e-5"
ENTROPY = 0.001
CLIP = 0.2
SEED = 47  # of the order of prompts
DISCOUNT = TRACE = 1.0  # gamma and lambda of GAE

CLIP_HIGH = 0.28
OVERLONG = RESPONSE * 4096 // 20480
"""Tokens before the longest at which the penalty begins: as large a share as in the recipe."""
OVERLONG_FACTOR = 1.0


class Dose(NamedTuple):
    """How much is trained."""

    like: Benchmark
    rows: int
    """Prompts that are trained on."""
    batch: int
    """Prompts a rollout."""
    epochs: int

    @property
    def epochs_source(self) -> str:
        """Why there are so many epochs."""
        return self.like.name if self.epochs == self.like.epochs else "as asked for"

    @property
    def batch_source(self) -> str:
        """Why a rollout takes so many prompts."""
        return "RL-MIA" if self.batch == BATCH else "all there are"

    @property
    def epoch(self) -> int:
        """Rollouts an epoch; trainers leave out the last, incomplete one, as RL-MIA's does."""
        return self.rows // self.batch


def dose(task: str, rows: int, epochs: int | None) -> Dose:
    """Return how much is trained: what is published, with smaller batches of fewer prompts.

    Raises:
        BadInput: There are fewer prompts than a minibatch takes.
    """
    like = BENCHMARKS.get(task, KNIGHTS)
    batch = min(BATCH, rows // like.mini_batch * like.mini_batch)
    if not batch:
        raise BadInput(
            f"{rows} prompts are trained on, but a minibatch of {task} takes {like.mini_batch}. "
            f"Ask for more members, or for more filler."
        )
    return Dose(like, rows, batch, epochs or like.epochs)
