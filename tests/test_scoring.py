"""Scores of a run: one m for all, a reason where there is no number, and what was counted."""

from dataclasses import dataclass
from math import inf, nan

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.records import Completion, Counts, Generation, Record, chat
from wellworn.scoring import all_scores_of, common_count, score, scores_of

SETTING = Generation(model="openai/m", temperature=0.7, top_p=0.95, max_tokens=64)


def record(*texts, prompt="?", **fields):
    completions = tuple(
        Completion(text=text, index=i, **{"generation": SETTING, **fields})
        for i, text in enumerate(texts)
    )
    return Record(prompt=chat(prompt), probes={"sample": completions})


def test_a_score_by_hand():
    [found] = score([record("aaaa", "aaab", "abbb", "cccc", prompt="a")], options=Options(k=4))
    assert found.prompt_id == chat("a").id
    assert found.detector == "min-knn"
    assert (found.value, found.score, found.reason) == (0.5, 0.5, None)
    [found] = score([record("aaaa", "aaab", "abbb", "cccc")])
    assert (found.value, found.score) == (0.25, 0.75)


def test_scores_come_in_the_order_of_the_records():
    records = [record("aa", "ab", prompt=str(i)) for i in range(5)]
    assert [found.prompt_id for found in score(iter(records))] == [r.prompt.id for r in records]


def test_all_are_scored_at_the_count_that_most_have():
    records = [record("aa", "ab"), record("aa", "ab"), record("aa", "zz", "aa", "aa")]
    found = score(records, options=Options(k=2))
    assert [each.parameters["samples"] for each in found] == [2, 2, 2]
    assert [each.value for each in found] == [0.5, 0.5, 1]  # the third: aa and zz alone
    assert [each.counts.completions for each in found] == [2, 2, 2]


def test_a_record_with_fewer_gets_a_reason_with_both_numbers():
    short, full = score([record("aa", "ab", "ac"), record(*["aa"] * 4)], samples=4)
    assert short.reason == (
        "3 of 4 completions are there (sample); all prompts of a run are scored at the same number"
    )
    assert (short.value, short.score) == (None, None)
    assert short.counts.completions == 3
    assert short.parameters == full.parameters
    assert (full.value, full.reason) == (0, None)


def test_a_record_without_completions_gets_a_reason_and_no_setting():
    empty, _ = score([Record(prompt=chat("a"), probes={}), record("aa", "ab")])
    assert empty.reason == (
        "0 of 2 completions are there (sample); all prompts of a run are scored at the same number"
    )
    assert empty.counts == Counts()
    assert empty.parameters == {"samples": 2, "k": 1, "unit": "char", "view": "full"}


def test_a_record_that_cannot_be_scored_keeps_its_place():
    found = score([record("", ""), record("aa", "ab"), record("\n", " ")])
    assert [each.reason for each in found] == [
        "all 2 completions are empty in the full view",
        None,
        "all 2 completions are empty in the full view",
    ]
    assert [each.counts.empty for each in found] == [2, 0, 2]


def test_one_completion_each_is_too_few_and_said_so():
    [found] = score([record("alone")])
    assert found.reason == "a distance needs 2 completions; this prompt has 1"


@pytest.mark.parametrize(
    ("counts", "common"),
    [([8], 8), ([8, 8, 4], 8), ([4, 8, 8, 4], 4), ([8, 4], 4), ([3, 0, 0, 0], 3), ([1, 2, 3], 1)],
)
def test_the_common_count_is_the_smaller_of_equals_and_never_0(counts, common):
    assert common_count(iter(counts)) == common


@pytest.mark.parametrize("counts", [[], [0], [0, 0]])
def test_nothing_to_score_is_said(counts):
    with pytest.raises(BadInput) as caught:
        common_count(counts)
    assert str(caught.value) == "there is nothing to score: no prompt has a completion."


def test_no_records_are_nothing_to_score_unless_m_is_given():
    with pytest.raises(BadInput, match=r"^there is nothing to score"):
        score([])
    assert score([], samples=4) == []


@pytest.mark.parametrize("m", [0, -1])
def test_an_m_below_1_is_refused(m):
    with pytest.raises(BadInput) as caught:
        score([record("aa", "ab")], samples=m)
    assert str(caught.value) == f"m is {m}; it must be 1 or more."


def test_an_unknown_detector_is_refused():
    with pytest.raises(BadInput, match=r"^unknown detector 'cddd'\. Did you mean 'cdd'\?\nKnown: "):
        score([record("aa", "ab")], "cddd")


def test_what_is_counted():
    completions = (
        Completion(text="a", finish_reason="stop"),
        Completion(text="a", finish_reason="length"),
        Completion(text="", reasoning="a", finish_reason="length"),
        Completion(text=" ", finish_reason=None),
        Completion(text="b", reasoning_hidden=True, finish_reason="stop"),
        Completion(text="far beyond m"),
    )
    found = Record(prompt=chat("?"), probes={"sample": completions})
    [full] = score([found], samples=5)
    assert full.counts == Counts(
        completions=5, empty=1, distinct=3, hidden=1, truncated=2, finish_unknown=1, length=1.5
    )  # shown are a, "a\n" twice (cut off while thinking) and a blank
    [answer] = score([found], samples=5, options=Options(view="answer"))
    assert answer.counts == Counts(
        completions=5, empty=3, distinct=4, hidden=1, truncated=2, finish_unknown=1, length=0.6
    )  # shown are a, nothing twice, a blank and b


def replies(*texts, seeds):
    return [
        Completion(text=text, index=i, seed=seed)
        for i, (text, seed) in enumerate(zip(texts, seeds, strict=True))
    ]


@pytest.mark.parametrize(
    ("completions", "count"),
    [
        (replies(*"abcabc", seeds=[1, 1, 1, 2, 2, 2]), 3),
        (replies(*"abcacb", seeds=[1, 1, 1, 2, 2, 2]), 0),
        (replies(*"aabaab", seeds=[1, 1, 1, 2, 2, 2]), 0),
        (replies(*"aaaaaa", seeds=[1, 1, 1, 2, 2, 2]), 0),
        (replies(*"aaabbb", seeds=[1, 1, 1, 2, 2, 2]), 4),
        (replies(*"aaabbc", seeds=[1, 1, 1, 2, 2, 2]), 0),
        (replies(*"abcabc", seeds=[None] * 6), 0),
        (replies(*"abcabc", seeds=[1] * 6), 0),
        (replies(*"abc", seeds=[1, 2, 3]), 0),
    ],
)
def test_replies_that_repeat_earlier_ones_word_by_word_are_counted(completions, count):
    found = Record(prompt=chat("?"), probes={"sample": tuple(completions)})
    assert score([found])[0].counts.replayed == count


def test_a_completion_cut_off_while_thinking_has_no_answer():
    cut = Completion(text="so 2 + 2 is", finish_reason="length")
    done = Completion(text="Four.", reasoning="2 + 2 is 4", finish_reason="stop", index=1)
    found = Record(prompt=chat("?"), probes={"sample": (cut, done)})
    assert score([found], options=Options(view="answer"))[0].counts.empty == 1
    alone = Record(prompt=chat("?"), probes={"sample": (cut, cut)})
    [found] = score([alone], options=Options(view="answer"))
    assert found.reason == (
        "completion 0 was cut off, and nothing tells whether while reasoning or answering; "
        "only `--view full` can read it"
    )
    assert score([alone])[0].value == 0


def test_filtered_completions_are_counted():
    filtered = Completion(text="I'm sorry", finish_reason="content_filter")
    found = Record(prompt=chat("?"), probes={"sample": (filtered, Completion(text="4"))})
    assert score([found])[0].counts.filtered == 1


def test_all_that_a_number_depends_on_is_recorded_with_it():
    fields = {"generation": msgspec.structs.replace(SETTING, extra={"min_p": 0}, top_logprobs=5)}
    options = Options(k=2, unit="word", view="answer")
    [found] = score([record("a b", "a c", **fields)], options=options)
    assert found.parameters == {
        "samples": 2,
        "k": 2,
        "unit": "word",
        "view": "answer",
        "model": "openai/m",
        "temperature": 0.7,
        "top_p": 0.95,
        "max_tokens": 64,
        "extra": {"min_p": 0},
    }


def mixed(**change):
    first = Completion(text="aa", generation=SETTING)
    other = Completion(text="ab", generation=msgspec.structs.replace(SETTING, **change))
    return Record(prompt=chat("?"), probes={"sample": (first, other)})


def test_completions_of_different_settings_are_never_scored_together():
    [found] = score([mixed(temperature=1.0)])
    assert found.reason == (
        "its completions do not compare: 'temperature' is 0.7 for some and 1.0 for others"
    )
    assert found.value is None


def test_completions_with_and_without_logprobs_are_of_one_setting():
    [found] = score([mixed(top_logprobs=20)])
    assert (found.value, found.reason) == (0.5, None)


def test_a_mixture_beyond_m_does_not_matter():
    first = record("aa", "ab")
    further = Completion(text="ab", generation=Generation(model="another"))
    both = Record(prompt=first.prompt, probes={"sample": (*first.probes["sample"], further)})
    assert score([both], samples=2)[0].value == 0.5


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_a_value_that_is_no_number_is_a_reason(value):
    detector = load("min-knn")._replace(measure=lambda found, **_: value)
    [found] = scores_of([record("aa", "ab")], detector, 2, Options())
    assert (found.value, found.score) == (None, None)
    assert found.reason == f"min-knn gives {value}, which is no number to rank by"


def test_a_detector_is_given_the_question_and_what_it_needs_and_no_label():
    given = []

    def measure(found, **_):
        given.append(found)
        return 0.5

    first = record("aa", "ab", "ac", prompt="a")
    metadata = {"member": 1, "extra_info": {"split": "train"}}
    labelled = Record(
        prompt=msgspec.structs.replace(first.prompt, source="members.jsonl:1", metadata=metadata),
        probes={**first.probes, "greedy": first.probes["sample"]},
    )
    list(scores_of([labelled], load("min-knn")._replace(measure=measure), 2, Options()))
    assert given == [record("aa", "ab", prompt="a")]


def test_a_bug_in_a_detector_is_not_a_reason():
    def broken(found, **_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(scores_of([record("a", "b")], load("min-knn")._replace(measure=broken), 2, Options()))


def test_a_score_comes_as_soon_as_its_record_is_read():
    @dataclass
    class Read:
        count: int = 0

        def __iter__(self):
            for text in ("aa", "bb"):
                self.count += 1
                yield record(text, text)

    read = Read()
    next(scores_of(read, load("min-knn"), 2, Options()))
    assert read.count == 1


TEXTS = st.lists(st.text("ab \n", max_size=4), max_size=5)


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), st.integers(1, 6))
def test_every_record_has_a_number_in_its_range_or_a_reason(texts, m):
    found = score([record(*each) for each in texts], samples=m)
    assert len(found) == len(texts)
    for each in found:
        if each.reason is None:
            assert 0 <= each.value <= 1
            assert each.score == 1 - each.value
        else:
            assert (each.value, each.score) == (None, None)


def test_there_is_no_noise_of_draws_among_correct_samples():
    texts = [f"so it is {i % 2}" for i in range(8)]
    found = msgspec.structs.replace(
        record(*texts), prompt=msgspec.structs.replace(chat("?"), answer="1")
    )
    options = Options(correct=2, verifier="number")
    [[plain]] = all_scores_of([found], [load("min-knn")], 8, Options(), noise=True)
    [[correct]] = all_scores_of([found], [load("min-knn")], 8, options, noise=True)
    assert len(plain.without) == 8
    assert (correct.without, correct.halves) == ((), ())
    assert correct.score is not None


def test_counts_are_of_the_samples_where_a_greedy_answer_is_read_beside():
    greedy = (Completion(text="aa", generation=SETTING.greedy),)
    samples = record("aa", "ab").completions("sample")
    found = Record(prompt=chat("?"), probes={"sample": samples, "greedy": greedy})
    [score_] = score([found], "greedy-distance")
    assert score_.counts.completions == 2
