"""What every detector promises. A new row in DETECTORS is tested here for free."""

import ast
import random
from math import isfinite
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wellworn.backends
from signalled import whole
from wellworn.detectors import DETECTORS, Options, load
from wellworn.errors import Unscorable
from wellworn.probes import PROBES, halves
from wellworn.records import Completion, Generation, Record, chat
from wellworn.scoring import scores_of

M = 8
WORDS = [
    *("let", "x", "be", "the", "sum", "of", "all", "odd"),
    *("ten", "so", "that", "we", "get", "five"),
]
SHARED = "Let x = 3. Then 2x = 6, so the answer is "
PROMPT = chat("What is 2x if x is the third of all odd numbers below ten, and y is not?")
TURNED = {"min-k-published", "entropy-noise-published"}
"""Published code whose direction is the other way round; its scores follow it."""

every_detector = pytest.mark.parametrize("detector", list(map(load, DETECTORS)), ids=DETECTORS)


def completion(text, index, chosen=None):
    """Return an answer whose tokens are characters, chosen with these probabilities."""
    dice = random.Random(text)
    chosen = chosen or [dice.uniform(0.1, 0.45) for _ in text]
    return Completion(
        text=text,
        token_ids=tuple(map(ord, text)),
        signals=whole(chosen),
        finish_reason="stop",
        seed=100 + index,
        index=index,
        generation=Generation(model="m", temperature=0.7, top_p=0.95, max_tokens=64),
    )


def record(detector, texts, prompt=PROMPT, options=None):
    """Return a record that has what the detector needs, the same texts for each probe."""
    completions = tuple(completion(text, i) for i, text in enumerate(texts))
    needs = detector.needs(options or Options(), len(completions))
    return Record(
        prompt=prompt, probes={need.probe: completions[: need.completions] for need in needs}
    )


def worn(detector, options=None):
    """Return the record of a prompt that its model knows: sure, repetitive, and set in its ways.

    A text that it knows is improbable in another form and to another model, and so is its
    answer amid small talk; but where it is unsure stays the same.
    """
    probes = {}
    for need in detector.needs(options or Options(), M):
        known = need.probe not in ("perturbed", *(p for p in PROBES if p.count("-") == 2))
        texts = [halves(PROMPT)[1]] if need.probe == "partial" else converged()
        chosen = [0.95 - i % 5 / 50 for i in range(len(SHARED) + 2)]
        chosen = chosen if known else [1 - p for p in chosen]
        many = enumerate(texts[: need.completions])
        probes[need.probe] = tuple(completion(t, i, (chosen * 2)[: len(t)]) for i, t in many)
    return Record(prompt=PROMPT, probes=probes)


def free(detector, seed, options=None):
    """Return the record of a prompt that its model does not know."""
    dice, probes = random.Random(seed), {}
    for need in detector.needs(options or Options(), M):
        reads = PROBES[need.probe].reads
        texts = diverse(seed) if reads else diverse(dice.random())
        many = enumerate(texts[: need.completions])
        probes[need.probe] = tuple(
            completion(text, i, [dice.uniform(0.1, 0.45) for _ in text]) for i, text in many
        )
    return Record(prompt=PROMPT, probes=probes)


def converged():
    return [f"{SHARED}{i // 2}." for i in range(M)]


def diverse(seed=0):
    dice = random.Random(seed)
    return [" ".join(dice.choices(WORDS, k=dice.randint(15, 24))) for _ in range(M)]


def score_of(detector, found, options=None):
    """Return the score of a record under the default options."""
    [score] = scores_of([found], detector, M, options or Options())
    return score


def measured(detector, found):
    """Return what a detector makes of a record as it stands; scoring takes the labels out."""
    return detector.measure(found, **detector.parameters(Options(), M))


def has_reason(score):
    return score.score is None and score.value is None and bool(score.reason)


@every_detector
@pytest.mark.parametrize("text", ["response", "prompt", "gold"])
@pytest.mark.parametrize("seed", range(5))
def test_higher_means_more_likely_trained_on(detector, seed, text):
    options = Options(target=text)
    scores = (free(detector, seed, options), worn(detector, options))
    lower, higher = (score_of(detector, found, options).score for found in scores)
    assert (higher > lower) != (detector.name in TURNED)
    assert higher != lower


@every_detector
@settings(deadline=None, max_examples=30)
@given(values=st.lists(st.floats(0, 1), min_size=2, unique=True))
def test_the_score_is_one_to_one_with_the_value(detector, values):
    """Ranking by score is ranking by the paper's number, in one direction or the other."""
    scores = [detector.score(value) for value in sorted(values)]
    assert scores == sorted(scores) or scores == sorted(scores, reverse=True)
    assert all(map(isfinite, scores))


@every_detector
def test_the_orientation_says_in_words_what_the_score_does(detector):
    assert detector.score(0.25) == eval(detector.orientation, {"value": 0.25})


@every_detector
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_the_order_of_completions_does_not_matter(detector, data):
    found = record(detector, diverse(1))
    moved = Record(
        prompt=found.prompt,
        probes={
            name: tuple(data.draw(st.permutations(completions)))
            for name, completions in found.probes.items()
        },
    )
    assert measured(detector, moved) == measured(detector, found)
    assert score_of(detector, moved).score == score_of(detector, found).score


@every_detector
def test_the_same_record_has_the_same_score_again(detector):
    found = record(detector, diverse(2))
    again = msgspec.json.decode(msgspec.json.encode(found), type=Record)
    assert score_of(detector, found) == score_of(detector, found) == score_of(detector, again)


@every_detector
@pytest.mark.parametrize("text", ["response", "prompt", "gold"])
@pytest.mark.parametrize("probes", [{}, dict.fromkeys(PROBES, ())])
def test_a_record_without_completions_is_unscorable(detector, probes, text):
    found = Record(prompt=PROMPT, probes=probes)
    with pytest.raises(Unscorable):
        detector.measure(found, **detector.parameters(Options(target=text), M))
    assert has_reason(score_of(detector, found, Options(target=text)))


@every_detector
@pytest.mark.parametrize("texts", [[""] * M, ["\n"] * M])
def test_empty_completions_give_a_reason(detector, texts):
    with pytest.raises(Unscorable):
        measured(detector, record(detector, texts))
    assert has_reason(score_of(detector, record(detector, texts)))


@every_detector
def test_fewer_completions_than_others_have_give_a_reason(detector):
    if reads_samples(detector):
        assert has_reason(score_of(detector, record(detector, ["alone"])))


def reads_samples(detector):
    return any(PROBES[need.probe].sampled for need in detector.needs(Options(), M))


CURVES = {"self-critique", "self-critique-unanchored", "entropy-noise", "entropy-temp"}


@every_detector
def test_answers_of_one_token_have_a_finite_number_or_a_reason(detector):
    score = score_of(detector, record(detector, ["a"] * M))
    assert has_reason(score) or isfinite(score.value)
    assert has_reason(score) or detector.name not in CURVES


@every_detector
def test_answers_without_signals_have_a_reason_where_signals_are_read(detector):
    found = record(detector, diverse(4))
    bare = {
        probe: tuple(msgspec.structs.replace(each, signals=None) for each in completions)
        for probe, completions in found.probes.items()
    }
    signals = any(need.signals for need in detector.needs(Options(), M))
    found = msgspec.structs.replace(found, probes=bare)
    assert has_reason(score_of(detector, found)) == signals
    if signals:
        with pytest.raises(Unscorable, match="has no log-probabilities"):
            measured(detector, found)


LABELS = st.fixed_dictionaries(
    {},
    optional={
        "member": st.integers(0, 1),
        "label": st.booleans(),
        "index": st.integers(),
        "split": st.sampled_from(["train", "test"]),
        "extra_info": st.dictionaries(st.sampled_from(["split", "index"]), st.integers()),
        "set": st.sampled_from(["suspects", "references"]),
    },
)


@every_detector
@settings(deadline=None, max_examples=50)
@given(metadata=LABELS, source=st.text(max_size=8), gold=st.text(max_size=3), seeds=st.randoms())
def test_labels_ids_sources_gold_answers_and_seeds_are_never_read(
    detector, metadata, source, gold, seeds
):
    plain = record(detector, diverse(3))
    prompt = msgspec.structs.replace(PROMPT, metadata=metadata, source=source, answer=gold)
    labelled = Record(
        prompt=prompt,
        probes={
            name: tuple(
                msgspec.structs.replace(each, seed=seeds.getrandbits(32), index=i + 7)
                for i, each in enumerate(completions)
            )
            for name, completions in plain.probes.items()
        },
    )
    assert measured(detector, labelled) == measured(detector, plain)
    assert score_of(detector, labelled) == score_of(detector, plain)


@every_detector
def test_that_check_sees_a_detector_that_reads_a_label(detector):
    cheat = detector._replace(measure=lambda found, **_: found.prompt.metadata.get("member", 0.5))
    member = msgspec.structs.replace(PROMPT, metadata={"member": 1})
    assert measured(cheat, record(detector, diverse(3), member)) == 1
    assert measured(cheat, record(detector, diverse(3))) == 0.5


@every_detector
@pytest.mark.parametrize("text", ["response", "prompt", "gold"])
def test_what_it_needs_and_requires_exists(detector, text):
    needs = detector.needs(Options(target=text), M)
    assert {need.probe for need in needs} <= set(PROBES)
    assert len({need.probe for need in needs}) == len(needs)
    assert all(need.completions == (M if PROBES[need.probe].sampled else 1) for need in needs)
    assert set(detector.requires) <= capabilities()


def capabilities():
    """Return the names of all capabilities that the code of a backend ever reports."""
    names = set()
    for path in Path(wellworn.backends.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Capability":
                names |= {first.value for first in node.args[:1] if isinstance(first, ast.Constant)}
    return names


def test_the_capabilities_are_found():
    assert {"answers", "n", "seeds", "prompt log-probabilities"} <= capabilities()
    assert "telepathy" not in capabilities()


@every_detector
def test_everything_that_the_number_depends_on_is_recorded(detector):
    found = worn(detector)
    score = score_of(detector, found)
    settled = detector.parameters(Options(), M)
    asked = [need for need in detector.needs(Options(), M) if not PROBES[need.probe].reads]
    generation = {"model": "m", "temperature": 0.7, "top_p": 0.95, "max_tokens": 64, "extra": {}}
    result = measured(detector, found)
    expected = {
        **({"samples": M} if reads_samples(detector) else {}),
        **settled,
        **(generation if asked else {}),
        **getattr(result, "found", {}),
    }
    assert expected.items() <= score.parameters.items()
    assert score.detector == detector.name


@every_detector
def test_only_what_reads_samples_has_their_number_among_its_parameters(detector):
    score = score_of(detector, worn(detector))
    assert ("samples" in score.parameters) == reads_samples(detector)


@every_detector
def test_parts_and_what_was_found_are_plain_values(detector):
    score = score_of(detector, worn(detector))
    assert all(type(part) is float and isfinite(part) for part in score.parts.values())
    assert msgspec.json.decode(msgspec.json.encode(score), type=type(score)) == score


@every_detector
def test_its_row_in_the_table_bears_its_name_and_says_what_it_is(detector):
    assert load(detector.name) is detector
    assert all((detector.summary, detector.paper, detector.orientation))
