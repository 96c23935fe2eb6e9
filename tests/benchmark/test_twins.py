"""Fresh twins: the same words, another problem, and a gold answer that passes its verifier."""

import json
import re

import pytest

from wellworn.benchmark.suites import load_suite
from wellworn.benchmark.twins import KINDS, twins
from wellworn.errors import BadInput
from wellworn.prompts import read_prompts
from wellworn.records import Prompt, chat
from wellworn.verifiers import load_verifier

ISLAND = (
    "A very special island is inhabited only by knights and knaves. You meet 2 inhabitants: Ada, "
    'and Ben. Ada said that If Ben is a knave then Ada is a knight. "Ada is not a knave," Ben '
    "claimed. So who is a knight and who is a knave?"
)
FORMULA = 'Solve {"n_sat": 2, "k": 3, "clause": "!AB & AC & B!C"} please. {not json}'
NUMBERS = "Using the numbers [19, 36, 55, 7], create an equation that equals 65. Be brief."


def frame(kind, text):
    """Return a text without its problem."""
    claim = r"(If )?(Ada|Ben) is (not )?a kn(ight|ave)( (then|and|or|if and only if) \w+ is a \w+)?"
    patterns = {
        "knights": claim,
        "sat": r'"clause": "[^"]*"',
        "countdown": r"\[[\d, ]+\]|equals \d+",
    }
    return re.sub(patterns[kind], "#", text)


@pytest.mark.parametrize(
    ("kind", "text"), [("knights", ISLAND), ("sat", FORMULA), ("countdown", NUMBERS)]
)
def test_the_words_stay_and_the_problem_is_another(kind, text):
    made = [twins(kind, [chat(text, system="s")], seed)[0] for seed in range(20)]
    assert {frame(kind, twin.shown) for twin in made} == {frame(kind, text)}
    assert all(twin.shown != text for twin in made)
    assert len({twin.shown for twin in made}) > 5
    assert {twin.messages[0].content for twin in made} == {"s"}


@pytest.mark.parametrize("seed", range(30))
def test_the_gold_answers_of_puzzles_and_formulas_are_right(seed):
    [puzzle] = twins("knights", [chat(ISLAND)], seed)
    assert load_verifier("knights").correct(f"<answer>{puzzle.answer}</answer>", puzzle)
    [formula] = twins("sat", [chat(FORMULA)], seed)
    assert load_verifier("sat").correct(rf"\boxed{{{formula.answer}}}", formula)
    problem = json.loads(re.search(r"\{.*?\}", formula.shown)[0])
    assert (problem["n_sat"], problem["k"], len(problem["clause"].split(" & "))) == (2, 3, 3)


@pytest.mark.parametrize("seed", range(30))
def test_the_target_is_reached_with_each_number_once(seed):
    [twin] = twins("countdown", [chat(NUMBERS)], seed)
    numbers = json.loads(re.search(r"\[.*?\]", twin.shown)[0])
    target = int(re.search(r"equals (\d+)", twin.shown)[1])
    assert all(7 <= number <= 55 for number in numbers)
    assert sorted(map(int, re.findall(r"\d+", twin.answer))) == sorted(numbers)
    assert set(twin.answer) <= set("0123456789 +-*/()")
    assert eval(twin.answer) == target  # ours, of digits and signs alone


def test_twins_are_a_function_of_the_prompt_and_the_seed():
    prompts = [chat(ISLAND), chat(ISLAND.replace("Ada", "Eva"))]
    assert twins("knights", prompts) == twins("knights", prompts)
    assert twins("knights", prompts[1:]) == twins("knights", prompts)[1:]
    assert twins("knights", prompts, 1) != twins("knights", prompts)


def test_twins_differ_from_each_other_and_from_all_prompts():
    prompts = [chat(f"{FORMULA} {i}") for i in range(40)]
    made = twins("sat", prompts)
    assert len({p.question for p in (*prompts, *made)}) == 80


def test_a_raw_text_stays_one():
    [twin] = twins("countdown", [Prompt(text=NUMBERS)])
    assert twin.text is not None


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_such_problem_is_refused(kind):
    with pytest.raises(BadInput, match=f"Is it a problem of the kind '{kind}'"):
        twins(kind, [Prompt(text="What is 2 + 2?", source="a.txt:1")])


def test_an_unknown_kind_is_refused():
    with pytest.raises(BadInput, match=r"unknown kind 'knight'\. Did you mean 'knights'"):
        twins("knight", [chat(ISLAND)])


@pytest.mark.parametrize(("suite", "kind"), [("kk", "knights"), ("sat", "sat")])
def test_twins_of_the_benchmark_are_right_and_as_long(shared, suite, kind):
    prompts = load_suite(suite, shared / "data/rl-mia").prompts
    made = twins(kind, prompts)
    wrapped = "<answer>{}</answer>" if kind == "knights" else "\\boxed{{{}}}"
    verifier = load_verifier(kind)
    assert all(verifier.correct(wrapped.format(twin.answer), twin) for twin in made)
    lengths = [sum(len(p.shown) for p in each) / len(each) for each in (prompts, made)]
    assert lengths[1] == pytest.approx(lengths[0], rel=0.03)


def test_the_command_writes_prompts_that_can_be_read(tmp_path, capsys):
    from wellworn.cli import main

    (tmp_path / "a.jsonl").write_text(json.dumps({"prompt": NUMBERS}))
    with pytest.raises(SystemExit) as ended:
        main(["twins", "countdown", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "b.jsonl")])
    assert ended.value.code == 0
    assert "1 twins were written" in capsys.readouterr().err
    [twin] = read_prompts(str(tmp_path / "b.jsonl")).prompts
    assert twin.answer
    assert twin.messages[0].role == "user"
