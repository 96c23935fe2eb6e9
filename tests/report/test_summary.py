"""The summary by hand: what is counted, what is compared, what is refused, what is noted."""

from datetime import UTC, datetime
from importlib.metadata import version

import msgspec
import pytest

from handmade import FULL, PARAMETERS, context, scored, side
from wellworn.detectors import Options
from wellworn.errors import BadInput
from wellworn.records import Completion, Counts, Message, Prompt, Record, chat
from wellworn.report.encoding import to_json
from wellworn.report.sides import Side, check_disjoint
from wellworn.report.summary import Summary, summarize
from wellworn.scoring import score
from wellworn.statistics.comparison import compare

SUSPECTS = [0.1, 0.2, 0.3, 0.4]
REFERENCES = [0.25, 0.5, 0.6, 0.7, 0.8]
FAR_APART = (side("suspects", [0.1] * 8), side("references", [0.8] * 8))


def summary_of(suspects=None, references=None, **changes):
    return summarize(
        suspects or side("suspects", SUSPECTS),
        references or side("references", REFERENCES),
        context(**changes),
    )


def test_an_audit_by_hand():
    summary = summary_of()
    assert summary.comparison.auc == 18 / 20  # 0.3 and 0.4 lose to 0.25
    assert summary.comparison == compare([1 - v for v in SUSPECTS], [1 - v for v in REFERENCES])
    assert summary.verdict.level == "insufficient data"  # below 6 a set
    assert summary.parameters == PARAMETERS
    assert (summary.run, summary.detector) == ("runs/a", "min-knn")
    assert (summary.paper, summary.orientation) == ("arXiv 2602.11792", "1 - value")
    assert summary.notes == ()
    assert summary.wellworn == version("wellworn")
    age = datetime.now(UTC) - datetime.fromisoformat(summary.created)
    assert 0 <= age.total_seconds() < 60


def test_sets_far_apart_have_converged_and_no_more_is_said():
    assert summary_of(*FAR_APART).verdict.level == "converged, not attributable"


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        (
            [side(name, [0.1] * 8, model="unknown") for name in ("suspects", "references")],
            "Nothing says which model the completions are of, so two models may be compared. "
            "Say it with `wellworn import --model-name`.",
        ),
        (
            [side("suspects", [0.1] * 8, prompts=[Prompt(text=f"a{i}") for i in range(8)])],
            "Suspects and references are asked in different forms (a chat against a raw text, or "
            "with another system message): that alone may make them differ.",
        ),
        (
            [side("suspects", [0.1] * 8, Counts(completions=8, distinct=4, replayed=4))],
            "The server gave 32 completions twice, whole answers word by word: it seems to repeat "
            "itself, or to answer from a cache.",
        ),
    ],
)
def test_doubts_bear_no_claim(sides, reason):
    verdict = summary_of(*sides, *FAR_APART[len(sides) :]).verdict
    assert verdict.level == "insufficient data"
    assert reason in verdict.reasons


def test_a_question_counts_once_however_it_is_spelt():
    twins = [chat("a" + " " * i) for i in range(3)] + [chat(f"b{i}") for i in range(7)]
    summary = summary_of(side("suspects", [0.1] * 10, prompts=twins), FAR_APART[1])
    assert [item.compared for item in summary.items[:4]] == [True, False, False, True]
    assert summary.suspects.compared == 8
    assert summary.notes == (
        "2 prompts that ask what another one asks, but for white space, left out of the "
        "comparison.",
    )


def test_every_prompt_is_an_item_suspects_first():
    summary = summary_of()
    assert [item.set for item in summary.items] == ["suspects"] * 4 + ["references"] * 5
    assert [item.value for item in summary.items] == SUSPECTS + REFERENCES
    assert [item.score for item in summary.items] == [1 - v for v in SUSPECTS + REFERENCES]
    assert all(item.compared and item.reason is None for item in summary.items)
    assert summary.items[0].prompt == "suspects 0"
    assert summary.items[0].prompt_id == chat("suspects 0").id


def test_the_quartiles_by_hand():
    summary = summary_of()
    assert summary.suspects.quartiles == pytest.approx((0.175, 0.25, 0.325))
    assert summary.references.quartiles == pytest.approx((0.5, 0.6, 0.7))
    assert summary_of(side("suspects", [0.2])).suspects.quartiles == (0.2, 0.2, 0.2)
    assert summary_of(side("suspects", ["why"] * 3)).suspects.quartiles is None


def test_the_shares_by_hand():
    counts = [
        Counts(completions=8, empty=1, distinct=5, truncated=2, finish_unknown=4),
        Counts(completions=8, empty=0, distinct=6, truncated=1, finish_unknown=0),
        Counts(completions=4, empty=0, distinct=2, hidden=2, finish_unknown=0),
    ]
    prompts = [chat(str(i)) for i in range(3)]
    scores = [scored(p, 0.5, c) for p, c in zip(prompts, counts, strict=True)]
    found = summary_of(Side("suspects", prompts, scores)).suspects
    assert (found.prompts, found.scored, found.compared, found.completions) == (3, 3, 3, 20)
    assert found.empty == 1 / 20
    assert found.truncated == 3 / 16
    assert found.repeated == (3 + 2 + 0) / 20


def test_answers_with_a_hidden_reasoning_count_among_the_repeated():
    hidden = Completion(text="4", reasoning_hidden=True)
    record = Record(prompt=chat("?"), probes={"sample": (hidden,) * 4})
    found = score([record], options=Options(view="answer"))
    summary = summarize(Side("suspects", [record.prompt], found), None, context())
    assert summary.suspects.repeated == 3 / 4


def test_what_nothing_says_of_its_end_is_unknown():
    unknown = Counts(completions=8, distinct=8, finish_unknown=8)
    assert summary_of(side("suspects", SUSPECTS, unknown)).suspects.truncated is None
    assert summary_of().suspects.truncated == 0


def test_a_set_without_completions_has_shares_of_0():
    found = summary_of(side("suspects", ["why"] * 2, Counts())).suspects
    assert (found.completions, found.empty, found.truncated, found.repeated) == (0, 0, None, 0)


def test_without_references_nothing_is_compared_and_the_verdict_says_why():
    summary = summarize(side("suspects", SUSPECTS), None, context())
    assert summary.comparison is None
    assert summary.references is None
    assert summary.verdict.level == "insufficient data"
    assert summary.verdict.reasons == (
        "No reference set was given: the numbers describe, and no claim follows.",
    )


def test_a_subset_is_no_valid_audit_however_it_turns_out():
    summary = summary_of(*FAR_APART, subset=True)
    assert summary.verdict.level == "insufficient data"
    assert summary.verdict.reasons == (
        "Only a random subset was audited (--limit): this is no valid audit.",
    )
    assert summary.comparison is not None


@pytest.mark.parametrize("values", [[0.5], [0.5, "why"], ["why", "why"]])
def test_fewer_than_two_scores_of_a_set_are_compared_with_nothing(values):
    summary = summary_of(side("suspects", values))
    assert summary.comparison is None
    assert summary.verdict.level == "insufficient data"
    count = sum(value == 0.5 for value in values)
    assert summary.verdict.reasons == (f"Only {count} of {len(values)} suspects can be compared.",)


def test_two_empty_completions_leave_an_item_out_of_the_comparison_and_one_does_not():
    prompts = [chat(str(i)) for i in range(6)]
    counts = [Counts(completions=8, empty=empty, distinct=6) for empty in (0, 1, 2, 3, 0, 0)]
    values = [0.1, 0.2, 0, 0, 0.3, 0.4]
    scores = [scored(*each) for each in zip(prompts, values, counts, strict=True)]
    summary = summary_of(Side("suspects", prompts, scores))
    assert [item.compared for item in summary.items[:6]] == [True, True, False, False, True, True]
    assert (summary.suspects.scored, summary.suspects.compared) == (6, 4)
    assert summary.suspects.quartiles == pytest.approx((0.175, 0.25, 0.325))
    assert summary.comparison == summary_of().comparison
    assert summary.notes == (
        "2 prompts with two or more empty or filtered completions, which are alike for no reason "
        "of training, left out of the comparison.",
    )


def test_too_many_items_left_out_leave_too_little():
    blank = Counts(completions=8, empty=2, distinct=7)
    summary = summary_of(side("suspects", SUSPECTS, blank))
    assert summary.verdict.reasons == ("Only 0 of 4 suspects can be compared.",)


def test_a_failed_item_is_counted_and_its_reason_noted():
    summary = summary_of(side("suspects", [*SUSPECTS, "the answer is empty", "why"]))
    assert (summary.suspects.prompts, summary.suspects.scored) == (6, 4)
    failed = summary.items[4]
    assert (failed.value, failed.score, failed.compared) == (None, None, False)
    assert failed.reason == "the answer is empty"
    assert summary.notes == (
        "1 without a score: the answer is empty.",
        "1 without a score: why.",
    )
    assert summary.comparison == summary_of().comparison


def test_the_commonest_reasons_are_listed_and_none_is_dropped_from_the_count():
    reasons = ["b", "a", "a", "c", "d", "e", "f", "g"]
    summary = summary_of(side("suspects", reasons))
    assert summary.notes == (
        "2 without a score: a.",
        *(f"1 without a score: {reason}." for reason in "bcde"),
        "2 without a score for other reasons; each item gives its own.",
    )


def test_texts_that_were_cut_short_are_noted_from_10_percent():
    cut = Counts(completions=10, distinct=10, truncated=1)
    summary = summary_of(side("suspects", SUSPECTS, cut))
    assert summary.notes == (
        "10% of the suspects' completions were cut at the most tokens; texts cut short look more "
        "alike. More tokens (--max-tokens) would tell.",
    )
    little = Counts(completions=11, distinct=11, truncated=1)
    assert summary_of(side("suspects", SUSPECTS, little)).notes == ()


def test_the_notes_of_a_run_come_first():
    summary = summary_of(side("suspects", [*SUSPECTS, "why"]), notes=["no seeds"])
    assert summary.notes == ("no seeds", "1 without a score: why.")


@pytest.mark.parametrize(
    ("change", "name", "values"),
    [
        ({"k": 5}, "k", "3 for some prompts and 5 for others"),
        ({"samples": 16}, "samples", "8 for some prompts and 16 for others"),
        ({"model": "openai/n"}, "model", "'openai/m' for some prompts and 'openai/n' for others"),
        ({"temperature": None}, "temperature", "0.7 for some prompts and None for others"),
        ({"view": "answer"}, "view", "'full' for some prompts and 'answer' for others"),
        ({"extra": {"min_p": 1}}, "extra", "{} for some prompts and {'min_p': 1} for others"),
        ({"new": 1}, "new", "None for some prompts and 1 for others"),
    ],
)
def test_scores_of_different_parameters_are_refused_with_both_values(change, name, values):
    with pytest.raises(BadInput) as caught:
        summary_of(references=side("references", REFERENCES, **change))
    assert str(caught.value) == (
        f"the scores do not compare: '{name}' is {values}.\n"
        f"Sample and score suspects and references with the same settings."
    )


def test_within_a_set_the_parameters_must_be_equal_too():
    prompts = [chat("a"), chat("b")]
    scores = [scored(prompts[0], 0.5), scored(prompts[1], 0.5, k=9)]
    with pytest.raises(BadInput, match=r"^the scores do not compare: 'k' is 3 for some"):
        summary_of(Side("suspects", prompts, scores))


def test_an_item_without_a_score_may_lack_parameters():
    prompts = [chat(str(i)) for i in range(5)]
    scores = [scored(p, v) for p, v in zip(prompts, [*SUSPECTS, "why"], strict=True)]
    scores[4] = msgspec.structs.replace(scores[4], parameters={"samples": 8, "k": 3})
    assert summary_of(Side("suspects", prompts, scores)).parameters == PARAMETERS
    alone = Side("suspects", prompts[4:], scores[4:])
    assert summarize(alone, None, context()).parameters == {"samples": 8, "k": 3}


def test_a_prompt_on_both_sides_is_refused():
    both = chat("How many primes are below one hundred and twenty-five thousand?")
    source = msgspec.structs.replace(both, source="fresh.jsonl:3")
    suspects = side("suspects", SUSPECTS, prompts=[both, *map(chat, "abc")])
    references = side("references", REFERENCES, prompts=[*map(chat, "defg"), source])
    with pytest.raises(BadInput) as caught:
        summary_of(suspects, references)
    assert str(caught.value) == (
        "suspects and references share 1 prompt, such as "
        "'How many primes are below one hundred and twenty-five thousa' (suspects and "
        "fresh.jsonl:3).\nA reference must not have been trained on: take them out of one of the "
        "sets."
    )


def test_sets_are_disjoint_by_what_is_asked():
    check_disjoint([[chat("a")], [chat("b"), Prompt(text="c")]])
    for twin in (Prompt(text="a b"), chat(" a  b\n")):
        with pytest.raises(BadInput, match=r"^suspects and references share 1 prompt"):
            check_disjoint([[chat("a b")], [twin]])
    check_disjoint([[chat("a"), chat("a")]])
    with pytest.raises(BadInput, match=r"^suspects and references share 2 prompts"):
        check_disjoint([[chat("a"), chat("b")], [chat("b"), chat("a"), chat("c")]])


def test_a_prompt_is_quoted_by_400_characters_of_its_last_turn():
    long = Prompt(
        messages=(Message("system", "s"), Message("user", "x" * 300 + "y" * 300)), source="a:1"
    )
    summary = summary_of(side("suspects", [0.5], prompts=[long]))
    assert summary.items[0].prompt == "x" * 300 + "y" * 100
    assert summary.items[0].source == "a:1"


def test_a_lone_surrogate_is_replaced_so_that_json_can_be_written():
    prompt = msgspec.structs.replace(chat("1 \ud800 2 🙂"), source="\udcff.jsonl")
    summary = summary_of(side("suspects", [0.5], prompts=[prompt]))
    item = msgspec.json.decode(to_json(summary), type=Summary).items[0]
    assert item.prompt == "1 \ufffd 2 🙂"
    assert item.source == "\ufffd.jsonl"
    assert item.prompt_id == prompt.id


def test_counts_are_shown_with_each_item():
    assert summary_of().items[0].counts == FULL
