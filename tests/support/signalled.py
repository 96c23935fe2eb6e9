"""Completions with signals, made from the distributions that a model is meant to have had."""

from math import exp, fsum, log, nan

from wellworn.records import Completion, Generation, Record, Signals, chat


def whole(chosen):
    """Return the signals of a model with two tokens, from the chosen one's probabilities."""
    return of_distributions([[log(p), log(1 - p)] for p in chosen], [log(p) for p in chosen])


def of_distributions(steps, logprobs, keep=True):
    """Return signals over the whole vocabulary, from all log-probabilities of each step."""
    return _signals(steps, logprobs, None, keep)


def top(steps, logprobs, top_k, keep=True):
    """Return signals over the top k tokens of each step; None is an unknown log-probability."""
    return _signals(steps, logprobs, top_k, keep)


def _signals(steps, logprobs, top_k, keep):
    return Signals(
        top_k=top_k,
        logprobs=tuple(nan if each is None else each for each in logprobs),
        entropy=tuple(-fsum(exp(lp) * lp for lp in step) for step in steps),
        mass=tuple(fsum(map(exp, step)) for step in steps),
        second_moment=tuple(fsum(exp(lp) * lp * lp for lp in step) for step in steps),
        tops=tuple(tuple(sorted(step, reverse=True)) for step in steps) if keep else (),
    )


def answer(signals=None, *, text=None, token_ids=None, index=0):
    """Return a completion with signals; its tokens are numbered, if no ids are given."""
    count = len(signals.logprobs) if signals else 0
    ids = token_ids if token_ids is not None else range(count)
    return Completion(
        text=" ".join(f"t{each}" for each in ids) if text is None else text,
        token_ids=tuple(ids),
        signals=signals,
        finish_reason="stop",
        index=index,
        generation=Generation(model="m", temperature=0.0),
    )


def asked(prompt=None, **probes):
    """Return a record; an underscore in the name of a probe stands for its hyphen."""
    return Record(
        prompt=prompt or chat("What is 2x?"),
        probes={
            name.replace("_", "-"): (given,) if isinstance(given, Completion) else tuple(given)
            for name, given in probes.items()
        },
    )
