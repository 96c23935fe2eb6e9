"""What a separation of suspects and references may be put down to.

Everything that a claim beyond "converged, not attributable" rests on is computed here; the
rules that it must pass are in `barriers`, the levels in `verdict`.

    detector     the named detector, as it stands
    blind        baselines that never see the model, as they were given
    nuisance     what the control model scores, and measures of the completions: training moves
                 these too, so they are shown and explain nothing away by themselves
    adjusted     the detector adjusted for what was fixed before RL, in two kinds, each also
                 with the allowance; and once for the tuned model's pass rate too, which is
                 conservative, since training raises it
    difference   the change of the score from control to tuned model, as it is and adjusted for
                 the covariates but the control's score. Adjusted for that as well it would be
                 the adjusted score again. A regression on the control's score is right if
                 scores follow it, a difference if they move in parallel; where either holds,
                 the effect is between the two (Ding and Li, Political Analysis 27, 2019)
    success      the change of the pass rate, by the same machinery
"""

from collections.abc import Sequence

from msgspec.structs import replace

from wellworn.statistics.adjustment import weighting
from wellworn.statistics.barriers import against_exposure, against_matched
from wellworn.statistics.comparison import Comparison, compare
from wellworn.statistics.controls import Control, control
from wellworn.statistics.estimates import Estimate, Kind
from wellworn.statistics.evidence import (
    ADJUSTED,
    ALLOWED,
    CHANGE,
    GAIN,
    REGRESSION,
    TUNED_TOO,
    WEIGHTING,
    Attribution,
    Carrier,
)
from wellworn.statistics.items import (
    BASE_PASS_RATE,
    BASE_SCORE,
    COVARIATES,
    TUNED,
    Design,
    Item,
    Reading,
    column_of,
)
from wellworn.statistics.overlap import Balance, Propensity, balance_of, overlap_of, propensity_of
from wellworn.statistics.power import power_of
from wellworn.statistics.reliability import foretold, reliability_of_rates

_WITHOUT_BASE = {name: read for name, read in COVARIATES.items() if name != BASE_SCORE}
_MOST_WITHSTOOD = 100.0

_NUISANCES: dict[str, Reading] = {
    "base model's score": lambda item: item.base_score,
    "completion length": lambda item: item.length,
    "share cut short": lambda item: item.truncated,
}


def _score(item: Item) -> float | None:
    return item.score


def _change(item: Item) -> float | None:
    return _difference(item.score, item.base_score)


def _gain(item: Item) -> float | None:
    return _difference(item.pass_rate, item.base_pass_rate)


def _difference(tuned: float | None, base: float | None) -> float | None:
    return None if tuned is None or base is None else tuned - base


def attribute(
    items: Sequence[Item],
    blind: Sequence[Estimate] = (),
    *,
    comparison: Comparison | None = None,
    before: Sequence[Balance] = (),
) -> Attribution:
    """Return what the separation of suspects and references may be put down to.

    Args:
        items: The prompts of both sets, two of each with a score or more.
        blind: Baselines that never see the model, on the same sets.
        comparison: That of the scores, where it is known already.
        before: The balance before references were chosen from a pool to match the suspects,
            if they were.

    Raises:
        ValueError: A set has fewer than two scores.
    """
    suspects, references = (
        [item.score for item in items if item.suspect is side and item.score is not None]
        for side in (True, False)
    )
    comparison = comparison or compare(suspects, references)
    score = control(items, _score, COVARIATES, before)
    propensity = propensity_of(score.fit.design) if score else None
    gain = control(items, _gain, COVARIATES, before)
    found = Attribution(
        estimates=(
            _detector(comparison, (len(suspects), len(references))),
            *blind,
            *_nuisances(items),
            *(_in_both_kinds(score, propensity) if score and propensity else ()),
            *_with_tuned(items),
            *_of_outcome(control(items, _change, _WITHOUT_BASE), CHANGE, "difference"),
            *_of_outcome(gain, GAIN, "success"),
        ),
        joint_p=_joint_p([each.fit.effect.p for each in (score, gain) if each]),
    )
    found = replace(found, carried_by=_carrier(found))
    if score and propensity:
        found = _with_checks(found, score, propensity)
    return replace(
        found, against_matched=against_matched(found), against_exposure=against_exposure(found)
    )


def _detector(found: Comparison, sizes: tuple[int, int]) -> Estimate:
    return Estimate(
        name="detector",
        kind="detector",
        auc=found.auc,
        low=found.low,
        high=found.high,
        p=found.p,
        suspects=sizes[0],
        references=sizes[1],
    )


def _nuisances(items: Sequence[Item]) -> list[Estimate]:
    found = {name: control(items, read, {}) for name, read in _NUISANCES.items()}
    return [
        each.unadjusted.estimate(name, "nuisance", each.fit.design.sizes)
        for name, each in found.items()
        if each
    ]


def _in_both_kinds(score: Control, propensity: Propensity) -> list[Estimate]:
    """Return the adjusted estimates of the score, each as it is and with the allowance."""
    kinds = {
        REGRESSION: score.fit.effect,
        WEIGHTING: weighting(score.fit, propensity),
    }
    return [
        effect.estimate(name, "adjusted", score.fit.design.sizes)
        for kind, adjusted in kinds.items()
        for name, effect in ((kind, adjusted), (kind + ALLOWED, score.allowed(adjusted)))
    ]


def _with_tuned(items: Sequence[Item]) -> list[Estimate]:
    """Return the score adjusted for the tuned model's pass rate too, where that is known."""
    found = control(items, _score, COVARIATES | TUNED)
    if found is None or not set(TUNED) <= set(found.fit.design.names):
        return []
    return [found.fit.effect.estimate(TUNED_TOO, "adjusted", found.fit.design.sizes)]


def _of_outcome(found: Control | None, name: str, kind: Kind) -> list[Estimate]:
    """Return another outcome as it stands, adjusted, and with the allowance."""
    if found is None:
        return []
    effects = {
        name: found.unadjusted,
        name + ADJUSTED: found.fit.effect,
        name + ALLOWED: found.allowed(found.fit.effect),
    }
    sizes = found.fit.design.sizes
    return [effect.estimate(each, kind, sizes) for each, effect in effects.items()]


def _with_checks(found: Attribution, score: Control, propensity: Propensity) -> Attribution:
    """Return the same with what says how far the adjustment of the score can be trusted."""
    design = score.fit.design
    return replace(
        found,
        balance=balance_of(design),
        overlap=overlap_of(design, propensity),
        imbalance=score.imbalance,
        clusters=design.independent,
        reliability=_reliability(design),
        foretold=_foretold(design),
        explained=score.fit.explained,
        withstands=_withstood(score),
        power=power_of(
            *design.sizes,
            covariates=len(design.names),
            explained=score.fit.explained,
            shift=score.allowance.value,
        ),
        notes=design.notes,
    )


def _reliability(design: Design) -> float | None:
    """Return that of the base model's pass rates, if they are adjusted for."""
    samples = column_of(design.items, lambda item: item.base_samples)
    if BASE_PASS_RATE not in design.names or not (samples >= 2).all():
        return None
    rates = column_of(design.items, COVARIATES[BASE_PASS_RATE])
    return reliability_of_rates(rates, samples, design.suspect)


def _foretold(design: Design) -> float | None:
    """Return how far the base model's pass rates foretell the tuned model's on the references."""
    if BASE_PASS_RATE not in design.names:
        return None
    reads = (COVARIATES[BASE_PASS_RATE], *TUNED.values())
    return foretold(*(column_of(design.items, read)[~design.suspect] for read in reads))


def _withstood(score: Control) -> float | None:
    """Return the most times that the allowance can be taken away, by bisection."""
    if score.allowance.value <= 0:
        return None
    low, high = 0.0, _MOST_WITHSTOOD
    while high - low > 0.01:
        middle = (low + high) / 2
        stands = score.allowed(score.fit.effect, middle).limits[0] > 0
        low, high = (middle, high) if stands else (low, middle)
    return round(low, 1)


def _carrier(found: Attribution) -> Carrier | None:
    """Return what is shown to tell the sets apart."""
    beyond, success = found.named(TUNED_TOO), found.named(GAIN + ADJUSTED)
    shown = [estimate is not None and estimate.low > 0.5 for estimate in (beyond, success)]
    carriers: dict[tuple[bool, ...], Carrier] = {
        (True, True): "both",
        (True, False): "convergence",
        (False, True): "success",
    }
    return carriers.get(tuple(shown))


def _joint_p(p_values: Sequence[float]) -> float | None:
    return min(1.0, len(p_values) * min(p_values)) if len(p_values) > 1 else None
