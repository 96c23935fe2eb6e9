"""The gold answers of published data pass their own verifiers."""

import gzip
import json

import pytest

from wellworn.records import Message, Prompt
from wellworn.tables import read_rows
from wellworn.tables.values import value_at
from wellworn.verifiers import load_verifier
from wellworn.verifiers.sat import problem_of, restored, satisfies


def asked(fields, gold):
    messages = tuple(Message(turn["role"], turn["content"]) for turn in fields["prompt"])
    return Prompt(messages=messages, answer=str(gold))


def rows(shared, *names):
    return [row.fields for name in names for row in read_rows(shared / name)]


def golds(shared, *names):
    """Return the prompts of these files and their gold answers."""
    found = rows(shared, *names)
    return [(asked(f, g), g) for f in found for g in [f["reward_model"]["ground_truth"]]]


SAT = [f"data/rl-mia/{name}.parquet" for name in ("sat", "sat_train", "sat_test")]


def test_all_620_solutions_satisfy_their_clauses_once_padded(shared):
    correct = load_verifier("sat").correct
    given = golds(shared, *SAT)
    assert len(given) == 620
    assert all(correct(rf"\boxed{{{restored(gold, 5)}}}", prompt) for prompt, gold in given)


def test_367_of_them_would_unpadded_if_missing_bits_were_zeros(shared):
    given = golds(shared, *SAT)
    assert sum(satisfies(problem_of(p), str(gold).ljust(5, "0")) for p, gold in given) == 367
    correct = load_verifier("sat").correct
    short = sum(len(str(gold)) < 5 for _, gold in given)
    assert short == 53 + 262 + 8
    assert sum(correct(rf"\boxed{{{gold}}}", prompt) for prompt, gold in given) == 620 - short


def test_an_empty_box_is_always_wrong_and_would_be_right_on_91_of_500(shared):
    given = golds(shared, SAT[1])
    assert not any(load_verifier("sat").correct(r"\boxed{}", prompt) for prompt, _ in given)
    assert sum(satisfies(problem_of(prompt), "00000") for prompt, _ in given) == 91


def test_all_knights_and_knaves_pass_and_any_one_changed_fails(shared):
    correct = load_verifier("knights").correct
    found = rows(shared, *(f"data/rl-mia/{name}.parquet" for name in ("kk", "kk_train", "kk_test")))
    assert len(found) == 1_100
    for fields in found:
        prompt = asked(fields, value_at(fields, "reward_model.ground_truth.solution_text_format"))
        assert correct(f"<think>?</think><answer>{prompt.answer}</answer>", prompt)
        assert correct(fields["solution_text"], prompt)
        for line in prompt.answer.split("\n"):
            role, other = ("knight", "knave") if line.endswith("knight") else ("knave", "knight")
            swapped = prompt.answer.replace(line, line.replace(role, other))
            assert not correct(f"<answer>{swapped}</answer>", prompt)


def test_all_gsm8k_answers_pass_with_their_solutions_as_completions(shared):
    correct = load_verifier("number").correct
    with gzip.open(shared / "data/prompts/gsm8k_test.jsonl.gz", "rt", encoding="utf-8") as lines:
        problems = [json.loads(line) for line in lines]
    assert len(problems) == 1_319
    for fields in problems:
        gold = fields["answer"].rpartition("#### ")[2]
        for answer in (gold, fields["answer"]):
            prompt = Prompt(text=fields["question"], answer=answer)
            assert correct(fields["answer"], prompt)
            assert correct(rf"\boxed{{{gold}}}", prompt)
            assert not correct(f"#### {gold}1", prompt)
    for fields in rows(shared, "data/rl-mia/gsm8k.parquet"):
        prompt = asked(fields, fields["reward_model"]["ground_truth"])
        assert correct(fields["answer"], prompt)


@pytest.mark.parametrize(
    "name", ["rl-mia/aime24", "rl-mia/aime25", "prompts/AIME24", "prompts/AIME25"]
)
def test_all_aime_answers_pass(shared, name):
    correct = load_verifier("math").correct
    given = golds(shared, f"data/{name}.parquet")
    assert len(given) >= 30
    for prompt, gold in given:
        number = int(gold.removeprefix(r"\boxed{").removesuffix("}").removesuffix(r"^\circ"))
        assert correct(rf"\boxed{{{gold}}}", prompt)
        assert correct(rf"\boxed{{{number}}}", prompt)
        assert not correct(rf"\boxed{{{number + 1}}}", prompt)


def test_all_math_500_answers_pass(shared):
    correct = load_verifier("math").correct
    given = golds(shared, "data/prompts/MATH-500.parquet")
    assert len(given) == 500
    assert all(correct(rf"\boxed{{{gold}}}", prompt) for prompt, gold in given)


@pytest.mark.parametrize("name", ["step200_AMC", "step1000_AIME-2024"])
def test_real_completions_are_judged_as_the_published_evaluation_did(shared, name):
    """They differ where the answer stands in no box, which is in few."""
    folder = shared / "data/completions/rlvr-qwen25math15b-deepscaler"
    log = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))
    correct = load_verifier("math").correct
    verdicts = [
        correct(output, Prompt(text=item["prompt"], answer=str(item["label"])))
        for item in log["metadata"]
        for output in item["outputs"]
    ]
    assert sum(verdicts) / len(verdicts) == pytest.approx(log["avg@8"], abs=0.005)
