"""Whether all rows of all files state the same parameters, and what setting these make.

What one row states, all must state alike: completions of different parameters do not mix, and
a part of a log that says less may be of another origin. The most tokens alone may vary, since
servers count them by the length of the prompt; then they are taken as unknown.
"""

from collections.abc import Mapping
from typing import Any

from wellworn.errors import BadInput
from wellworn.readers.base import Layout, Missed
from wellworn.readers.repeats import Keys, Overlap
from wellworn.records import Generation
from wellworn.tables.formats import Unwanted
from wellworn.tables.values import enumerate_names

UNKNOWN = "unknown"
"""The model of completions that nothing names the model of."""

VARYING = ("max_tokens",)
"""Parameters that may vary from row to row."""

ORIGINS = (
    *("step", "global_step", "train_step", "training_step", "checkpoint", "checkpoint_step"),
    *("checkpoint_path", "ckpt", "policy", "policy_version", "weight_version", "weights_version"),
    *("model_version", "model_revision", "revision", "adapter", "lora"),
)
"""Fields that tell weights apart which go by one name, as those of a training run."""


def agreed(known: dict[str, Any], more: dict[str, Any], place: str) -> dict[str, Any]:
    """Return what both state; what only one of them states is taken from it.

    Raises:
        BadInput: They differ.
    """
    for name, value in more.items():
        if known.get(name, value) != value:
            raise _differ(place, name, value, known[name])
    return {**known, **more}


def check_same(
    known: Mapping[str, Any], here: Mapping[str, Any], place: str, *, apart: bool = True
) -> None:
    """Refuse what differs from what is known, or states more or less, but for `VARYING`.

    `apart` says that one can be read without the other, as rows can.

    Raises:
        BadInput: The two differ.
    """
    if known == here:
        return
    for name in dict.fromkeys([*known, *here]):
        if known.get(name) != here.get(name) and name not in VARYING:
            raise _differ(place, name, here.get(name), known.get(name), apart=apart)


def _differ(place: str, name: str, here: Any, before: Any, *, apart: bool = False) -> BadInput:
    now = "not stated" if here is None else repr(here)
    then = "not stated" if before is None else repr(before)
    ways = ["import each part into a run of its own"]
    if name == "model" and None in (here, before):
        ways.append("say with --model-name which model it is")
    elif name == "model" and apart:
        ways.append("take the rows of one with --only-model")
    if name in ORIGINS:
        ways.append("take them together with --mix-steps, if it says nothing of the weights")
    return BadInput(
        f"{place}: the {name} is {now} here, but {then} before it.\n"
        f"Completions of different parameters do not mix: {', or '.join(ways)}."
    )


def check_origin(held: Keys, brought: Keys, found: Overlap, origin: str, place: str) -> None:
    """Refuse a file of an origin that was there, and that holds other answers for all that.

    Raises:
        BadInput: Most of its prompts are held, and none of its answers.
    """
    shared = [prompt for prompt, keys in brought.items() if keys and held.get(prompt)]
    if any(found.skip.get(prompt) for prompt in shared) or 2 * len(shared) <= len(brought):
        return
    raise BadInput(
        f"{place}: its completions are of {origin}, as are others of the same prompts, but differ "
        f"from those: they may be of another model.\n"
        f"Import each model into a run of its own, or say `--repeats count` if all are of one."
    )


def as_told(stated: dict[str, Any], layout: Layout, place: str) -> dict[str, Any]:
    """Return parameters with what the user says of them.

    Raises:
        BadInput: They state something else.
        Unwanted: They are of another model than the only one that is taken.
    """
    if layout.only_model not in (None, stated.get("model")):
        raise Unwanted(str(stated.get("model", UNKNOWN)))
    if layout.mix_steps:
        stated = {name: value for name, value in stated.items() if name not in ORIGINS}
    for name, option, told in (
        ("model", "--model-name", layout.model_name),
        ("temperature", "--temperature", layout.temperature),
    ):
        known = stated.get(name, told)
        if told is not None and known != told:
            raise BadInput(
                f"{place}: the file says that the {name} is {known!r}; {option} says {told!r}.\n"
                f"Leave out {option}, or give the file that it is about."
            )
        if told is not None:
            stated = {**stated, name: told}
    return stated


def of_others(unwanted: Mapping[str, int], layout: Layout) -> Missed:
    """Return the miss of a file whose rows are all of other models than the one asked for."""
    models = enumerate_names([f"{name} ({count:,})" for name, count in unwanted.items()], 10)
    fact = f"no row of it is of the model {layout.only_model!r}; they are of {models}"
    return Missed(fact, companion=True)


def generation_of(parameters: dict[str, Any]) -> Generation:
    """Return parameters as a setting; those that are no field of it go to its `extra`."""
    fields = Generation.__struct_fields__
    own = {name: value for name, value in parameters.items() if name in fields}
    more = {name: value for name, value in parameters.items() if name not in fields}
    return Generation(**{"model": UNKNOWN, **own, "extra": {**parameters.get("extra", {}), **more}})
