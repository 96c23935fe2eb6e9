"""What detectors cost, an item: calls, generated tokens, and seconds, asking apart from scoring."""

from collections.abc import Mapping, Sequence

import msgspec

from wellworn.errors import BadInput, unknown


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What asking one probe of all items took."""

    calls: int
    """Completions that were asked for."""
    tokens: int
    """Tokens that were generated."""
    seconds: float


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What a detector costs on its own, an item."""

    detector: str
    calls: float
    tokens: float
    generating: float
    """Seconds that the model took."""
    scoring: float
    """Seconds that the detector took."""


def costs(
    items: int,
    probes: Mapping[str, Spent],
    needs: Mapping[str, Sequence[str]],
    scoring: Mapping[str, float],
) -> list[Cost]:
    """Return a row for each detector, the cheapest to ask first.

    Args:
        items: How many prompts were asked about.
        probes: What each probe took for all of them.
        needs: By detector, the probes that it reads. One that two detectors share is paid for
            by each, since each alone would need it.
        scoring: By detector, the seconds that it took for all items.

    Raises:
        BadInput: There are no items, or a detector needs a probe that nothing is known of.
    """
    if items < 1:
        raise BadInput(f"the costs are those of {items} items; an average needs 1 or more.")
    rows = []
    for detector, names in needs.items():
        for name in names:
            if name not in probes:
                raise BadInput(f"{detector}: {unknown('probe', name, probes)}")
        spent = [probes[name] for name in names]
        rows.append(
            Cost(
                detector=detector,
                calls=sum(each.calls for each in spent) / items,
                tokens=sum(each.tokens for each in spent) / items,
                generating=sum(each.seconds for each in spent) / items,
                scoring=scoring[detector] / items,
            )
        )
    return sorted(rows, key=lambda row: row.generating)
