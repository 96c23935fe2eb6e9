"""What the completions behind a score were like."""

from collections.abc import Sequence
from itertools import groupby
from statistics import fmean

from wellworn.records import Completion, Counts, View


def counts_of(completions: Sequence[Completion], view: View) -> Counts:
    """Return what completions are like in a view."""
    hidden = sum(completion.reasoning_hidden for completion in completions)
    shown = [c for c in completions if view == "answer" or not c.reasoning_hidden]
    texts = [completion.view(view) for completion in shown]
    reasons = [completion.finish_reason for completion in completions]
    return Counts(
        completions=len(completions),
        empty=sum(not text.strip() for text in texts),
        distinct=len(set(texts)),
        hidden=hidden,
        replayed=_replayed(completions),
        filtered=sum(reason == "content_filter" for reason in reasons),
        truncated=sum(reason == "length" for reason in reasons),
        finish_unknown=sum(reason is None for reason in reasons),
        cut=sum(completion.cut > 0 for completion in completions),
        length=fmean(map(len, texts)) if texts else 0.0,
    )


def is_spoilt(counts: Counts) -> bool:
    """Return whether two or more completions are empty or filtered: alike for no reason."""
    return counts.empty + counts.filtered >= 2


def _replayed(completions: Sequence[Completion]) -> int:
    """Return how many completions came in replies that a server seems to have repeated.

    The completions of one request have one seed. A reply repeats an earlier one if it has at
    least three different texts and the same in the same order; and a server repeats one text
    for all choices if every reply holds one text, but not all the same. A model that has
    collapsed does neither, but by a rare chance.
    """
    replies = [
        tuple(completion.text for completion in group)
        for seed, group in groupby(completions, key=lambda completion: completion.seed)
        if seed is not None
    ]
    constant = [reply for reply in replies if len(reply) > 1 and len(set(reply)) == 1]
    if len(constant) == len(replies) and len(set(constant)) > 1:
        return sum(len(reply) - 1 for reply in constant)
    seen: set[tuple[str, ...]] = set()
    count = 0
    for reply in replies:
        count += len(reply) if reply in seen and len(set(reply)) > 2 else 0
        seen.add(reply)
    return count
