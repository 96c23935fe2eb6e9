"""The axes of an ablation: which trials each of them takes.

Grids hold the values of the papers: k of 2, 10 and 20, m of 4, 16, 32 and 64 (Min-kNN Distance,
arXiv 2602.11792), top log-probabilities of 3, 5, 10, 20 and 50 (Self-Critique, arXiv 2510.09259).
An axis that a detector does not read has no variants, but a note.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from msgspec.structs import asdict

from wellworn.ablating.trials import Source, Trial
from wellworn.detectors import Detector, Options
from wellworn.detectors.base import Unit
from wellworn.probes import PROBES
from wellworn.records import Generation, Signals, View
from wellworn.report.plots import Scale

K = (1, 2, 3, 5, 10, 20, 40)
M = (2, 4, 8, 16, 32, 64, 128)
TOP_K = (3, 5, 10, 20, 50)


class Base(NamedTuple):
    """What all axes start from."""

    detector: Detector
    options: Options
    source: Source
    others: Sequence[Source]
    """Completions of other settings."""
    draws: int

    @property
    def trial(self) -> Trial:
        """The trial of the defaults."""
        return Trial(self.options, self.source.m, self.source.m)

    @property
    def compared(self) -> int:
        """Completions that the detector is given of each prompt by default."""
        return self.options.correct or self.source.m

    @property
    def parameters(self) -> dict[str, Any]:
        """The detector's parameters by default."""
        return self.detector.parameters(self.options, self.compared)

    @property
    def sampled(self) -> bool:
        """Whether the detector reads samples."""
        needs = self.detector.needs(self.options, self.source.m)
        return any(PROBES[need.probe].sampled for need in needs)


class Variant(NamedTuple):
    """A point of an axis before it is measured."""

    at: float | str
    source: Source
    trials: tuple[Trial, ...]
    default: bool = False
    origin: str = ""
    """Which completions it reads, where they are not those of the default."""
    reason: str | None = None
    """Why it is not measured."""


class Planned(NamedTuple):
    """The variants of an axis; none where it is left out, and a note why."""

    variants: Sequence[Variant] = ()
    notes: tuple[str, ...] = ()


class Kind(NamedTuple):
    """An axis: how it is called and drawn, and what it varies."""

    label: str
    scale: Scale
    plan: Callable[[Base], Planned]


def _k(base: Base) -> Planned:
    if "k" not in base.parameters:
        return _unread(base)
    most, default = base.compared, base.parameters["k"]
    values = sorted({k for k in K if k <= most} | {default, most})
    return Planned(_options(base, "k", values, default))


def _m(base: Base) -> Planned:
    if not base.sampled:
        return _unread(base)
    pool = base.source.m
    smaller = [
        Variant(m, base.source, tuple(base.trial._replace(m=m, draw=d) for d in range(base.draws)))
        for m in M
        if m < pool
    ]
    whole = Variant(pool, base.source, (base.trial,), default=True)
    notes = [
        f"Fewer than {pool} completions are random choices among each prompt's first {pool}, "
        f"{base.draws} times."
    ]
    if "k" in base.parameters and not base.options.correct:
        follows = f"k follows m: {base.parameters['k']} of {pool}, and that share of fewer."
        fixed = f"k is fixed at {base.options.k}, or m where that is smaller."
        notes.append(fixed if base.options.k else follows)
    return Planned([*smaller, whole], tuple(notes))


def _temperature(base: Base) -> Planned:
    if not base.sampled:
        return _unread(base)
    if base.source.setting.temperature is None:
        return Planned(notes=("the temperature of the samples is not known",))
    if not base.others:
        return Planned(notes=("the runs hold samples of one setting alone",))
    alike = [each for each in base.others if _unlike(each, base.source) is None]
    m = min(source.m for source in [base.source, *alike])
    variants = [_at_temperature(base, source, m) for source in [base.source, *base.others]]
    note = f"All are scored at m = {m}, which the setting with the fewest completions has."
    return Planned(
        sorted(variants, key=lambda variant: (isinstance(variant.at, str), variant.at)),
        (note,) if m < base.source.m else (),
    )


def _at_temperature(base: Base, source: Source, m: int) -> Variant:
    default, temperature = source is base.source, source.setting.temperature
    reason = _unlike(source, base.source)
    return Variant(
        at="unknown" if temperature is None else temperature,
        source=source,
        trials=() if reason else (base.trial._replace(m=m, pool=m),),
        default=default,
        origin="" if default else str(source),
        reason=reason,
    )


def _unlike(source: Source, base: Source) -> str | None:
    """Return in what a setting differs from the default's beside temperature and seed."""
    if source.setting.temperature is None:
        return "its temperature is not known"
    fields, wanted = (_compared(each.setting) for each in (source, base))
    for name, value in fields.items():
        if value != wanted[name]:
            return f"its {name} is {value!r}, that of the other samples {wanted[name]!r}"
    return None


def _compared(setting: Generation) -> dict[str, Any]:
    left_out = ("temperature", "seed", "top_logprobs")
    return {name: value for name, value in asdict(setting).items() if name not in left_out}


def _top_k(base: Base) -> Planned:
    if not _reads(base, "top_k", TOP_K):
        return _unread(base)
    signals = _signals(base)
    stored = len(signals.tops[0]) if signals else 0
    values = {top_k for top_k in TOP_K if top_k <= stored}
    if signals is None or not values:
        return Planned(notes=("the top log-probabilities of its answers are not stored",))
    beyond = [str(top_k) for top_k in TOP_K if top_k > stored]
    note = f"{', '.join(beyond)} left out: {stored} log-probabilities of a step are stored."
    default = base.options.top_k or (None if signals.top_k is None else stored)
    return Planned(
        _options(base, "top_k", sorted(values | {default or stored}), default),
        (note,) if beyond else (),
    )


def _signals(base: Base) -> Signals | None:
    """Return the first signals that the detector reads and that have top log-probabilities."""
    probes = [need.probe for need in base.detector.needs(base.options, base.source.m)]
    for record in base.source.records():
        for answer in (answer for probe in probes for answer in record.completions(probe)):
            if answer.signals and answer.signals.tops:
                return answer.signals
    return None


def _unit(base: Base) -> Planned:
    values = get_args(Unit)
    if not _reads(base, "unit", values):
        return _unread(base)
    return Planned(_options(base, "unit", values, base.options.unit))


def _view(base: Base) -> Planned:
    values = get_args(View)
    if not _reads(base, "view", values):
        return _unread(base)
    answers = (a for r in base.source.records() for found in r.probes.values() for a in found)
    if not any(answer.reasoning for answer in answers):
        return Planned(notes=("no completion has its reasoning set apart",))
    return Planned(_options(base, "view", values, base.options.view))


def _options(
    base: Base, field: str, values: Sequence[Any], default: float | str | None
) -> Sequence[Variant]:
    """Return the variants that give an option these values; the default is left as it is."""
    changed = {
        value: base.trial._replace(options=replace(base.options, **{field: value}))
        for value in values
        if value != default
    }
    return [
        Variant(value, base.source, (changed.get(value, base.trial),), default=value == default)
        for value in values
    ]


def _reads(base: Base, field: str, values: Sequence[Any]) -> bool:
    """Return whether an option changes what the detector's measure is given."""
    given = [
        base.detector.parameters(replace(base.options, **{field: value}), base.source.m)
        for value in values[:2]
    ]
    return given[0] != given[1]


def _unread(base: Base) -> Planned:
    return Planned(notes=(f"{base.detector.name} does not depend on it",))


AXES: dict[str, Kind] = {
    "k": Kind("k, nearest neighbours that are averaged", "log", _k),
    "m": Kind("m, completions of each prompt", "log", _m),
    "temperature": Kind("temperature of the samples", "linear", _temperature),
    "top-k": Kind("top log-probabilities that entropies are read from", "log", _top_k),
    "unit": Kind("unit, what one edit changes", "words", _unit),
    "view": Kind("view, the part of a completion that is compared", "words", _view),
}
"""Every axis, by name."""
