"""What may be claimed: every level with its rule, the wording, and the false-accusation gate.

The gate is the reason why this package is careful. At no checkpoint of a real RL run may a
benchmark that was not trained on be accused against another, though their scores differ.
"""

import gzip
import json
import random
import re
from functools import cache
from itertools import permutations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.records import Completion, Record, chat
from wellworn.scoring import score
from wellworn.statistics.comparison import compare
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.evidence import Attribution
from wellworn.statistics.verdict import LEVELS, Sizes, decide, lacking

SEPARATED = compare(range(100, 130), range(30))
NO_MORE = "converged, not attributable"


def judge(suspects, references):
    """Return the comparison of two lists of scores, and the verdict on it."""
    result = compare(suspects, references)
    sizes = [Sizes(len(scores), len(scores)) for scores in (suspects, references)]
    return result, decide(result, lacking(*sizes, subset=False))


def test_the_levels_from_the_weakest_claim_to_the_strongest():
    assert LEVELS == (
        "insufficient data",
        "no evidence",
        "converged, not attributable",
        "converged more than matched controls",
        "consistent with RL exposure",
    )


def test_enough_of_both_lacks_nothing():
    assert lacking(Sizes(6, 6), Sizes(6, 6)) == ()
    assert lacking(Sizes(12, 6), Sizes(100, 50)) == ()


NO_REFERENCE = "No reference set was given: the numbers describe, and no claim follows."
FEW = "Only {} of {} {} can be compared."
SUBSET = "Only a random subset was audited (--limit): this is no valid audit."
TOO_SMALL = (
    "Sets of {} and {} are too small: below 6, even complete separation leaves an interval that "
    "holds chance."
)


@pytest.mark.parametrize(
    ("suspects", "references", "subset", "reasons"),
    [
        (Sizes(30, 30), None, False, [NO_REFERENCE]),
        (Sizes(30, 14), Sizes(30, 30), False, [FEW.format(14, 30, "suspects")]),
        (Sizes(30, 15), Sizes(31, 15), False, [FEW.format(15, 31, "references")]),
        (Sizes(1, 1), Sizes(9, 9), False, [FEW.format(1, 1, "suspects")]),
        (Sizes(0, 0), Sizes(9, 9), False, [FEW.format(0, 0, "suspects")]),
        (Sizes(3, 3), Sizes(3, 3), False, [TOO_SMALL.format(3, 3)]),
        (Sizes(2, 2), Sizes(4, 4), False, [TOO_SMALL.format(2, 4)]),
        (Sizes(30, 30), Sizes(30, 30), True, [SUBSET]),
        (Sizes(2, 2), Sizes(2, 2), True, [TOO_SMALL.format(2, 2), SUBSET]),
        (
            Sizes(9, 4),
            Sizes(9, 0),
            True,
            [FEW.format(4, 9, "suspects"), FEW.format(0, 9, "references"), SUBSET],
        ),
    ],
)
def test_every_lack_is_said(suspects, references, subset, reasons):
    assert lacking(suspects, references, subset=subset) == tuple(reasons)


@pytest.mark.parametrize(("n1", "n2"), [(3, 3), (5, 5), (3, 100), (100, 5), (6, 6), (6, 100)])
def test_sets_lack_size_only_where_no_separation_could_be_shown(n1, n2):
    lacks = lacking(Sizes(n1, n1), Sizes(n2, n2))
    best = compare(range(1000, 1000 + n1), range(n2))
    assert bool(lacks) == (decide(best, ()).level == "no evidence")


def test_doubts_are_lacks_too():
    assert lacking(Sizes(9, 9), Sizes(9, 9), doubts=["Who knows."]) == ("Who knows.",)


def test_insufficient_data_whatever_the_scores():
    verdict = decide(SEPARATED, [SUBSET, NO_REFERENCE])
    assert verdict.level == "insufficient data"
    assert verdict.sentence == "Nothing can be claimed from these data."
    assert verdict.reasons == (SUBSET, NO_REFERENCE)
    assert decide(None, [NO_REFERENCE]).level == "insufficient data"
    assert decide(None, ()).level == "insufficient data"


@pytest.mark.parametrize(
    ("low", "p", "level"),
    [
        (0.51, 0.049, NO_MORE),
        (0.51, 0.05, "no evidence"),
        (0.5, 0.001, "no evidence"),
        (0.3, 0.4, "no evidence"),
    ],
)
def test_convergence_needs_both_the_interval_and_the_p_value(low, p, level):
    result = msgspec.structs.replace(SEPARATED, auc=0.7, low=low, high=0.9, p=p)
    assert decide(result, ()).level == level


def test_no_evidence_says_what_could_have_been_missed_and_exonerates_nobody():
    _, verdict = judge([1, 3, 5, 7, 9] * 10, [2, 4, 6, 8, 10] * 10)
    assert verdict.level == "no evidence"
    assert verdict.sentence == (
        "It is not shown that the suspects have converged more than the references."
    )
    assert verdict.reasons == (
        "Sets of this size see an AUC of 0.66 or more in 80 % of audits; a smaller effect may "
        "have been missed.",
        "This does not exonerate the model: exposure need not leave a trace in samples.",
    )


def test_suspects_that_have_converged_less_are_no_evidence():
    assert judge(range(30), range(100, 130))[1].level == "no evidence"


def test_equal_scores_are_no_evidence():
    assert judge([1.0] * 20, [1.0] * 20)[1].level == "no evidence"


def test_complete_separation_is_still_not_attributable():
    _, verdict = judge(range(100, 400), range(-300, 0))
    assert verdict.level == NO_MORE
    assert verdict.sentence == (
        "The suspects have converged more than the references; the cause is open."
    )
    assert verdict.reasons == (
        "Easier prompts converge more, trained on or not, and this audit did not control for "
        "difficulty, length, texts cut short, or what the base model does.",
        "So this is no finding of exposure.",
    )


SIZES = st.integers(0, 300).flatmap(
    lambda prompts: st.integers(0, prompts).map(lambda compared: Sizes(prompts, compared))
)
SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=6)


@settings(deadline=None)
@given(SIZES, SIZES | st.none(), st.booleans(), SCORES, SCORES)
def test_no_text_accuses_and_no_verdict_rises_above_its_evidence(one, other, subset, a, b):
    verdict = decide(compare(a, b), lacking(one, other, subset=subset))
    assert LEVELS.index(verdict.level) <= LEVELS.index(NO_MORE)
    text = " ".join([verdict.level, verdict.sentence, *verdict.reasons])
    assert not re.search(r"prove|proof|guilty|innocent|cheat", text, re.IGNORECASE)
    assert verdict.reasons


# With controls.

NAMES = [
    (kind + added, "adjusted")
    for kind in ("regression", "weighting")
    for added in ("", ", with the allowance")
]


def attributed(matched=(), exposure=(), carried_by=None):
    """Return an attribution that has such reasons against the upper levels."""
    estimates = [
        Estimate(name=name, kind=kind, auc=0.7, low=low, high=0.8, suspects=30, references=30)
        for low, (name, kind) in zip((0.6, 0.55, 0.62, 0.58), NAMES, strict=True)
    ]
    return Attribution(
        estimates=tuple(estimates),
        against_matched=tuple(matched),
        against_exposure=tuple(exposure),
        carried_by=carried_by,
    )


def test_what_stands_against_matched_controls_leaves_the_cause_open():
    verdict = decide(SEPARATED, (), attributed(["Too easy."], ["No control."]))
    assert verdict.level == NO_MORE
    assert verdict.sentence == (
        "The suspects have converged more than the references; the cause is open."
    )
    assert verdict.reasons == ("Too easy.", "So this is no finding of exposure.")


def test_what_stands_against_exposure_alone_leaves_matched_controls():
    verdict = decide(SEPARATED, (), attributed([], ["No control."]))
    assert verdict.level == "converged more than matched controls"
    assert verdict.sentence == (
        "The suspects have converged more than references that were as hard before RL, as far as "
        "that was measured."
    )
    assert verdict.reasons == (
        "The weakest of the adjusted estimates, regression, with the allowance, still excludes "
        "chance: AUC 0.70 [0.55, 0.80].",
        "A difference between the sets that no control measures can still be the cause.",
        "No control.",
        "Exposure in pretraining, in fine-tuning and in RL is not told apart.",
    )


@pytest.mark.parametrize(
    ("carrier", "said"),
    [
        ("convergence", "It is carried by convergence beyond what success explains."),
        (
            "success",
            "It is carried by the gain in success: beyond that, convergence is not shown.",
        ),
        ("both", "Both convergence beyond what success explains and the gain in success carry it."),
        (None, "Whether success or convergence beyond it carries it cannot be told."),
    ],
)
def test_where_nothing_stands_against_it_exposure_is_consistent(carrier, said):
    verdict = decide(SEPARATED, (), attributed(carried_by=carrier))
    assert verdict.level == "consistent with RL exposure"
    assert verdict.sentence == (
        "Since the control model, the suspects have converged more than references that were as "
        "hard, as exposure to them in RL would make them."
    )
    assert verdict.reasons[2:] == (
        said,
        "Exposure in any training between the control model and this one looks the same, and "
        "none is shown with certainty.",
    )


def test_controls_lift_nothing_that_is_not_separated_or_lacks_data():
    weak = msgspec.structs.replace(SEPARATED, low=0.5)
    assert decide(weak, (), attributed()).level == "no evidence"
    assert decide(SEPARATED, ["Who knows."], attributed()).level == "insufficient data"
    assert decide(None, (), attributed()).level == "insufficient data"


@pytest.mark.parametrize("carrier", ["convergence", "success", "both", None])
@pytest.mark.parametrize("exposure", [(), ("No control.",)])
def test_no_wording_of_the_upper_levels_proves_anything(exposure, carrier):
    verdict = decide(SEPARATED, (), attributed((), exposure, carrier))
    text = " ".join([verdict.level, verdict.sentence, *verdict.reasons])
    assert not re.search(r"prove|proof|guilty|innocent|cheat", text, re.IGNORECASE)


def test_the_levels_themselves_accuse_nobody():
    assert not re.search(r"prove|proof|guilty", " ".join(LEVELS), re.IGNORECASE)


# The gate.

CHECKPOINTS = ("base", "step50", "step200", "step400", "step1000")
BENCHMARKS = ("AIME-2024", "AIME-2025", "AMC")
PAIRS = list(permutations(BENCHMARKS, 2))


@cache
def ladder(folder, checkpoint, benchmark):
    """Return the scores of a benchmark's prompts at a checkpoint of a real RL run."""
    with gzip.open(folder / f"{checkpoint}_{benchmark}.json.gz") as file:
        rows = json.load(file)["metadata"]
    return scores_of((row["prompt"], row["outputs"]) for row in rows)


def scores_of(rows):
    found = score(
        Record(
            prompt=chat(prompt),
            probes={"sample": tuple(Completion(text=text) for text in outputs)},
        )
        for prompt, outputs in rows
    )
    return [each.score for each in found if each.score is not None]


@pytest.fixture
def real(shared):
    folder = shared / "data" / "completions" / "rlvr-qwen25math15b-deepscaler"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: no completions of a real RL run to judge")
    return folder


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
@pytest.mark.parametrize(("suspects", "references"), PAIRS)
def test_no_untrained_benchmark_is_accused_at_any_checkpoint(
    real, checkpoint, suspects, references
):
    _, verdict = judge(*(ladder(real, checkpoint, name) for name in (suspects, references)))
    assert LEVELS.index(verdict.level) <= LEVELS.index(NO_MORE)


def test_the_gate_guards_against_a_separation_that_is_really_there(real):
    """Without it the gate could not fail: AMC is easier, and looks trained on."""
    result, verdict = judge(*(ladder(real, "step200", name) for name in ("AMC", "AIME-2025")))
    assert result.auc == pytest.approx(0.74, abs=0.005)
    assert result.p < 0.001
    assert verdict.level == NO_MORE


def easy(generator, difficulty):
    """Return what a model that saw nothing answers: the harder, the more paths it takes."""
    paths = [
        " ".join(generator.choices(["add", "take", "twice", "half", "then", "so", "all"], k=12))
        for _ in range(difficulty)
    ]
    return [generator.choice(paths) + f" {generator.randint(0, 9)}" for _ in range(8)]


@pytest.mark.parametrize("difficulty", [(2, 12), (4, 12), (6, 8), (8, 8), (12, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_easier_suspects_that_nobody_trained_on_are_not_accused(difficulty, seed):
    generator = random.Random(seed)
    suspects, references = (
        scores_of((str(i), easy(generator, paths)) for i in range(30)) for paths in difficulty
    )
    result, verdict = judge(suspects, references)
    assert LEVELS.index(verdict.level) <= LEVELS.index(NO_MORE)
    if difficulty == (2, 12):
        assert result.auc > 0.8
        assert verdict.level == NO_MORE
