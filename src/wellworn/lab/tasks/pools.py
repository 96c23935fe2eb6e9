"""Pools of items that share none: what a model is pretrained on, trained on, tested on.

Two items are the same if their canonical forms are, so no pool holds another's item under
other names or in another order. All pools of one level are one shuffled draw, cut: which
pool an item is in says nothing about it.
"""

from collections.abc import Hashable, Mapping

from wellworn.errors import BadInput
from wellworn.lab.tasks.base import LEVELS, I, Level, Task


def pools(
    task: Task[I],
    seed: int,
    sizes: Mapping[str, int],
    levels: Mapping[str, Level] | None = None,
) -> dict[str, list[I]]:
    """Return disjoint pools by name, which depend on the arguments alone.

    Args:
        task: What to draw items of.
        seed: Another one gives other pools, which may share items with these.
        sizes: How many items each pool holds.
        levels: The level of a pool by its name, where it is not standard. The standard pools
            are drawn first; later ones leave out what those hold.

    Raises:
        BadInput: There are fewer different items, or a name or a level is unknown.
    """
    levels = levels or {}
    if strange := sorted(levels.keys() - sizes.keys()):
        raise BadInput(f"levels names the pool {strange[0]!r}; sizes has {', '.join(sizes)}.")
    taken: set[Hashable] = set()
    filled: dict[str, list[I]] = {}
    for level in dict.fromkeys((*LEVELS, *levels.values())):
        names = [name for name in sizes if levels.get(name, "standard") == level]
        drawn = task.fresh(seed, sum(sizes[name] for name in names), level, taken)
        for name in names:
            filled[name], drawn = drawn[: sizes[name]], drawn[sizes[name] :]
    return {name: filled[name] for name in sizes}
