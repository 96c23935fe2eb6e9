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
from wellworn.detectors import DETECTORS, Options, load
from wellworn.errors import Unscorable
from wellworn.probes import PROBES
from wellworn.records import Completion, Generation, Record, chat
from wellworn.scoring import scores_of

M = 8
WORDS = [
    "let",
    "x",
    "be",
    "the",
    "sum",
    "of",
    "all",
    "odd",
    "numbers",
    "below",
    "ten",
    "so",
    "that",
    "we",
    "get",
    "five",
]
SHARED = "Let x = 3. Then 2x = 6, so the answer is "

every_detector = pytest.mark.parametrize("detector", list(map(load, DETECTORS)), ids=DETECTORS)


def completion(text, index):
    return Completion(
        text=text,
        token_ids=tuple(map(ord, text)),
        finish_reason="stop",
        seed=100 + index,
        index=index,
        generation=Generation(model="m", temperature=0.7, top_p=0.95, max_tokens=64),
    )


def record(detector, texts, prompt=None):
    """Return a record that has what the detector needs, the same texts for each probe."""
    completions = tuple(completion(text, i) for i, text in enumerate(texts))
    probes = {
        need.probe: completions[: need.completions] for need in detector.needs(len(completions))
    }
    return Record(prompt=prompt or chat("What is 2x?"), probes=probes)


def converged():
    return [f"{SHARED}{i}." for i in range(M)]


def diverse(seed=0):
    generator = random.Random(seed)
    return [" ".join(generator.choices(WORDS, k=generator.randint(4, 12))) for _ in range(M)]


def score_of(detector, found):
    """Return the score of a record under the default options."""
    [score] = scores_of([found], detector, M, Options())
    return score


@every_detector
@pytest.mark.parametrize("seed", range(5))
def test_higher_means_more_likely_trained_on(detector, seed):
    worn = score_of(detector, record(detector, converged()))
    free = score_of(detector, record(detector, diverse(seed)))
    assert worn.score > free.score


@every_detector
@settings(deadline=None, max_examples=30)
@given(values=st.lists(st.floats(0, 1), min_size=2, unique=True))
def test_the_score_is_one_to_one_with_the_value(detector, values):
    """Ranking by score is ranking by the paper's number, in one direction or the other."""
    scores = [detector.score(value) for value in sorted(values)]
    assert scores == sorted(scores) or scores == sorted(scores, reverse=True)
    assert all(map(isfinite, scores))


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
    assert score_of(detector, moved).score == score_of(detector, found).score


@every_detector
def test_the_same_record_has_the_same_score_again(detector):
    found = record(detector, diverse(2))
    again = msgspec.json.decode(msgspec.json.encode(found), type=Record)
    assert score_of(detector, found) == score_of(detector, found) == score_of(detector, again)


@every_detector
@pytest.mark.parametrize("probes", [{}, dict.fromkeys(PROBES, ())])
def test_a_record_without_completions_is_unscorable(detector, probes):
    found = Record(prompt=chat("?"), probes=probes)
    with pytest.raises(Unscorable):
        detector.measure(found, **detector.parameters(Options(), M))
    score = score_of(detector, found)
    assert score.score is None
    assert score.value is None
    assert score.reason


@every_detector
@pytest.mark.parametrize("texts", [["alone"], [""] * M, ["\n"] * M])
def test_one_completion_or_only_empty_ones_give_a_reason(detector, texts):
    score = score_of(detector, record(detector, texts))
    assert score.score is None
    assert score.value is None
    assert score.reason


def measured(detector, found):
    """Return what a detector makes of a record as it stands; scoring takes the labels out."""
    return detector.measure(found, **detector.parameters(Options(), M))


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
@given(metadata=LABELS, source=st.text(max_size=8), seeds=st.randoms())
def test_labels_ids_sources_and_seeds_are_never_read(detector, metadata, source, seeds):
    plain = record(detector, diverse(3))
    labelled = Record(
        prompt=msgspec.structs.replace(plain.prompt, metadata=metadata, source=source),
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
    member = msgspec.structs.replace(chat("?"), metadata={"member": 1})
    assert measured(cheat, record(detector, diverse(3), member)) == 1
    assert measured(cheat, record(detector, diverse(3))) == 0.5


@every_detector
def test_what_it_needs_and_requires_exists(detector):
    assert {need.probe for need in detector.needs(M)} <= set(PROBES)
    assert all(1 <= need.completions <= M for need in detector.needs(M))
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
    score = score_of(detector, record(detector, converged()))
    settled = detector.parameters(Options(), M)
    generation = {"model": "m", "temperature": 0.7, "top_p": 0.95, "max_tokens": 64, "extra": {}}
    assert score.parameters == {"samples": M, **settled, **generation}
    assert score.detector == detector.name


@every_detector
def test_its_row_in_the_table_bears_its_name_and_says_what_it_is(detector):
    assert load(detector.name) is detector
    assert all((detector.summary, detector.paper, detector.orientation))
