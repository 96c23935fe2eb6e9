"""Min-kNN Distance by hand: every value here can be counted with a pencil."""

import pytest

from wellworn.detectors import Options, load
from wellworn.detectors.min_knn import DETECTOR, default_k, min_knn
from wellworn.errors import BadInput, Unscorable
from wellworn.probes import Need
from wellworn.records import Completion, Record, chat

FOUR = ["aaaa", "aaab", "abbb", "cccc"]
REASONED = [
    Completion(text="4", reasoning="ab", index=0),
    Completion(text="4", reasoning="cd", index=1),
    Completion(text="5", reasoning="ce", index=2),
]


def record(samples):
    completions = [s if isinstance(s, Completion) else Completion(text=s) for s in samples]
    return Record(prompt=chat("2 + 2?"), probes={"sample": tuple(completions)})


def tokens(*ids):
    return [Completion(text="a", token_ids=each, index=i) for i, each in enumerate(ids)]


def distance_of(samples, **parameters):
    return min_knn(record(samples), **parameters).value


def reason(samples, **parameters):
    with pytest.raises(Unscorable) as caught:
        distance_of(samples, **{"k": 1, **parameters})
    return str(caught.value)


@pytest.mark.parametrize(("k", "value"), [(1, 0.25), (2, 0.25), (3, 1 / 3), (4, 0.5), (32, 0.5)])
def test_characters(k, value):
    assert distance_of(FOUR, k=k) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(("k", "value"), [(1, 1 / 3), (2, 1 / 3), (3, 4 / 9)])
def test_words(k, value):
    texts = ["the cat  sat", "the dog\nsat", " a dog ran "]  # 1/3, 1/3, 2/3
    assert distance_of(texts, k=k, unit="word") == pytest.approx(value, abs=1e-15)


def test_tokens():
    ids = tokens((5, 6, 7, 8), (5, 6, 7, 9), (1, 2))  # 1/4, 1/4, 1
    assert distance_of(ids, k=3, unit="token") == 0.5


def test_tokens_whose_hashes_collide_are_different_tokens():
    assert min_knn(record(tokens((2**61 - 1,), (0,))), k=1, unit="token").value == 1


@pytest.mark.parametrize(
    ("view", "value"),
    [
        ("full", 1 / 2),  # ab, cd and ce with a line break and the answer: 2/4, 2/4, 2/4
        ("reasoning", 2 / 3),  # 1, 1/2, 1/2
        ("answer", 1 / 3),  # 0, 0, 1
    ],
)
def test_views(view, value):
    assert distance_of(REASONED, k=3, view=view) == pytest.approx(value, abs=1e-15)


def test_only_samples_are_read():
    probes = {"sample": record(FOUR).probes["sample"], "other": (Completion(text="aaaa"),) * 9}
    assert min_knn(Record(prompt=chat("?"), probes=probes), k=4).value == 0.5


def test_identical_completions_are_at_0():
    assert distance_of(["the same"] * 4, k=4) == 0


def test_empty_completions_are_at_0_from_each_other_and_at_1_from_the_rest():
    assert distance_of(["", "", "ab", "ac"], k=3) == pytest.approx(1 / 6, abs=1e-15)
    assert distance_of(["", "ab"], k=2) == 1


@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("texts", [["", ""], [" ", "\n\n", "\t"]])
def test_where_nothing_was_written_there_is_no_score(texts, unit):
    assert reason(texts, unit=unit) == f"all {len(texts)} completions are empty in the full view"


def test_an_empty_reasoning_before_an_empty_answer_is_nothing_written():
    empty = [Completion(text="", reasoning=""), Completion(text="", reasoning="")]
    assert reason(empty) == "all 2 completions are empty in the full view"


def test_a_view_without_text_has_no_score_though_another_has():
    cut = [Completion(text="", reasoning="so 2"), Completion(text="", reasoning="so 4")]
    assert distance_of(cut, k=1) == 0.2
    assert reason(cut, view="answer") == "all 2 completions are empty in the answer view"
    assert reason(FOUR, view="reasoning") == "all 4 completions are empty in the reasoning view"


def test_tokens_of_nothing_have_no_score():
    assert reason(tokens((), ()), unit="token") == "all 2 completions are empty in the full view"
    ends = [Completion(text="", token_ids=(2,)), Completion(text="", token_ids=(2,))]
    assert reason(ends, unit="token") == "all 2 completions are empty in the full view"


@pytest.mark.parametrize("samples", [[], ["alone"]])
def test_fewer_than_two_samples_have_no_neighbour(samples):
    text = f"a distance needs 2 completions; this prompt has {len(samples)}"
    assert reason(samples) == text


def test_a_record_that_was_never_asked_has_no_score():
    with pytest.raises(Unscorable, match=r"this prompt has 0$"):
        min_knn(Record(prompt=chat("?"), probes={}), k=1)


HIDDEN = [
    Completion(text="4", index=0),
    Completion(text="4", reasoning_hidden=True, token_ids=(1,), index=1),
]


@pytest.mark.parametrize(
    ("view", "unit"), [("full", "char"), ("full", "word"), ("full", "token"), ("reasoning", "char")]
)
def test_a_hidden_reasoning_is_reported_and_not_scored(view, unit):
    assert reason(HIDDEN, view=view, unit=unit) == (
        f"the reasoning of completion 1 is hidden, so the {view} view cannot be read; "
        f"`--view answer` compares the answers alone"
    )


def test_answers_are_scored_though_the_reasoning_is_hidden():
    assert distance_of(HIDDEN, k=2, view="answer") == 0


def test_missing_token_ids_are_named():
    samples = [*tokens((1,), (2,)), Completion(text="a", index=2)]
    text = (
        "completion 2 has no token ids: `--logprobs 1` may bring them from the server, "
        "`--unit word` needs none"
    )
    assert reason(samples, unit="token") == text


def test_token_ids_belong_to_the_full_view():
    text = "token ids belong to the full view; the answer view has none"
    assert reason(tokens((1,), (2,)), unit="token", view="answer") == text


def test_k_is_the_papers_share_of_m():
    assert default_k(32) == 10
    ks = {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 3, 16: 5, 24: 8, 64: 20, 100: 31}
    assert {m: default_k(m) for m in ks} == ks


@pytest.mark.parametrize(("given", "m", "k"), [(None, 8, 3), (5, 8, 5), (10, 4, 4), (1, 32, 1)])
def test_k_is_settled_for_m_and_recorded_with_the_rest(given, m, k):
    options = Options(k=given, unit="word", view="answer")
    assert DETECTOR.parameters(options, m) == {"k": k, "unit": "word", "view": "answer"}


def test_the_detector_of_the_table():
    assert load("min-knn") is DETECTOR
    assert DETECTOR.needs(Options(), 32) == (Need("sample", 32),)
    assert DETECTOR.score(0.25) == 0.75


def test_an_unknown_detector_is_refused():
    with pytest.raises(BadInput, match=r"^unknown detector 'min-kn'\. Did you mean 'min-knn'\?"):
        load("min-kn")


def test_twins_are_the_share_of_samples_that_have_an_equal_one():
    assert min_knn(record(["a", "a", "b", "c", "c", "c"]), k=1).parts == {"twins": 5 / 6}
    assert min_knn(record(FOUR), k=1).parts == {"twins": 0}
    assert min_knn(record(REASONED), k=1, view="answer").parts == {"twins": 2 / 3}


DOUBLE = "Here:\n```python\ndef f(x):\n    return 2 * x\n```"
RENAMED = "```python\n# doubles\ndef double(number): return 2*number\n```\nThat is it."
TRIPLE = "```python\ndef f(x):\n    return 3 * x\n```"
BROKEN = "```python\ndef f(x)\n    return 2 * x\n```"


def nodes(samples, k):
    return min_knn(record(samples), k=k, unit="ast")


def test_code_is_compared_by_its_syntax_tree():
    assert nodes([DOUBLE, RENAMED], k=2).value == 0
    # module, function, arguments, x, return, product, 2, times, x: one of nine differs
    assert nodes([DOUBLE, TRIPLE], k=2).value == pytest.approx(1 / 9)


def test_code_that_does_not_parse_is_unlike_every_other_text():
    also = BROKEN.replace("2", "3")
    found = nodes([BROKEN, also, DOUBLE, RENAMED], k=4)
    assert found.value == 0.5  # 1, 1, 0, 0
    assert found.parts == {"twins": 0, "parsed": 0.5}
    assert nodes([BROKEN, BROKEN, DOUBLE], k=3).value == pytest.approx(1 / 3)  # 0, 0, 1


def test_samples_without_any_code_have_no_score_by_nodes():
    assert reason(["So 2.", BROKEN], unit="ast") == (
        "none of the 2 completions holds Python code that parses; `--unit char` compares any text"
    )
    assert reason(["", " "], unit="ast") == "all 2 completions are empty in the full view"
