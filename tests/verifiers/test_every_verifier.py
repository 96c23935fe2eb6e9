"""What every verifier promises. A new line in VERIFIERS is tested here with two completions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.records import chat
from wellworn.verifiers import VERIFIERS, load_verifier, maths

SAT = '{"n_sat": 2, "k": 2, "clause": "AB & !A"}'
CASES = {
    "exact": (chat("?"), "Blue", "<answer>blue.</answer>", "<answer>red</answer>"),
    "knights": (chat("?"), "(1) Ann is a knave", "Ann is a knave", "Ann is a knight"),
    "math": (chat("?"), r"\frac{1}{2}", r"\boxed{0.5}", r"\boxed{\frac{1}{3}}"),
    "number": (chat("?"), "18", "#### 18", "#### 19"),
    "sat": (chat(SAT), "01", r"\boxed{01}", r"\boxed{00}"),
}
HOSTILE = [
    *("", " \n", "\0", "\ud800", "####", "#### " * 20_000, "#" * 100_000, "-" * 100_000),
    *("<answer>", "</answer>", "<answer>" * 20_000, "$" * 100_000, "9," * 50_000, "." * 100_000),
    *(r"\boxed{", r"\boxed{}", r"\boxed}{", r"\boxed{" * 20_000, "{" * 100_000),
    *(
        "9" * 100_000,
        rf"\boxed{{{'9' * 5_000}}}",
        "\u0663",
        "\\boxed{\u0660\u0661}",
        "a is a " * 20_000,
    ),
    *("*" * 100_000, "a is " + "* " * 50_000, "a" * 100_000, "knight" * 20_000, "\\" * 99_999),
    *(
        "a is a knight" + " " * 200_000,
        "1 + " * 50_000,
        "1" + "a" * 100_000,
        "####" + " " * 100_000,
    ),
    *("a is a knight, " * 9_000, r"\boxed{__import__('os').abort()}", r"\boxed{\input{/dev/zero}}"),
]
every_verifier = pytest.mark.parametrize("name", VERIFIERS)


def case(name):
    """Return a verifier, a prompt with its gold answer, a right completion and a wrong one."""
    prompt, gold, right, wrong = CASES[name]
    return load_verifier(name), type(prompt)(messages=prompt.messages, answer=gold), right, wrong


@every_verifier
def test_it_bears_its_name_and_says_what_it_checks(name):
    assert load_verifier(name).name == name
    assert VERIFIERS[name][1]


@every_verifier
def test_it_tells_right_from_wrong(name):
    verifier, prompt, right, wrong = case(name)
    assert verifier.correct(right, prompt) is True
    assert verifier.correct(wrong, prompt) is False


@every_verifier
def test_reasoning_before_the_answer_does_not_count(name):
    verifier, prompt, right, wrong = case(name)
    assert verifier.correct(f"Perhaps {wrong}\nNo, that fails.\n\n{right}", prompt)
    assert not verifier.correct(f"Perhaps {right}\nNo, that fails.\n\n{wrong}", prompt)


@every_verifier
def test_equal_answers_are_one_solution_and_no_answer_is_none(name):
    verifier, _, right, wrong = case(name)
    assert verifier.final(right) == verifier.final(f"So I say:\n\n{right}\n")
    assert verifier.final(right) != verifier.final(wrong)
    assert verifier.final("") is None


@every_verifier
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_completion_is_wrong_and_raises_nothing(name, text):
    verifier, prompt, _, _ = case(name)
    assert verifier.correct(text, prompt) is False
    assert verifier.final(text) is None or isinstance(verifier.final(text), str)


MARKS = st.sampled_from(
    [*"{}()[]$*#_-.,:01289AB!& \n\\", "\\boxed{", "<answer>", "</answer>", "####", " is a knave"]
)


@every_verifier
@settings(deadline=None, max_examples=60)
@given(text=st.lists(MARKS | st.text(max_size=3), max_size=25).map("".join))
def test_any_completion_has_a_verdict(name, text):
    verifier, prompt, _, _ = case(name)
    assert verifier.correct(text, prompt) in (False, True)
    assert verifier.final(text) is None or verifier.final(text)


EXPLICIT = {
    "exact": ["<answer>a</answer>", r"\boxed{a} and"],
    "knights": ["<answer>Ann is a knave</answer> for"],
    "math": [r"\boxed{\frac{1}{2}} as"],
    "number": ["#### 18", r"\boxed{18} as", "<answer>18</answer>"],
    "sat": [r"\boxed{01} as"],
}
OPEN = ["", "Ann is a knave", "12 / 3 = 4", "####", "<answer>Ann is a knave", r"so \boxed{0", "a"]


@every_verifier
def test_an_answer_is_explicit_where_it_stands_whole_in_its_place(name):
    verifier = load_verifier(name)
    assert all(verifier.explicit(f"So {text}") for text in EXPLICIT[name])
    assert not any(verifier.explicit(text) for text in OPEN)


@pytest.mark.parametrize("name", sorted(VERIFIERS.keys() - {"sat"}))
def test_a_prompt_without_a_gold_answer(name):
    prompt, _, right, _ = CASES[name]
    with pytest.raises(BadInput) as error:
        load_verifier(name).correct(right, prompt)
    assert str(error.value) == (
        f"prompt {prompt.id}: there is no gold answer to compare with.\n"
        f"Name its field when prompts or logs are read (--answer-field), mend the prompt, or "
        f"choose another verifier."
    )


@pytest.mark.parametrize("gold", ["", " "])
@pytest.mark.parametrize("name", sorted(VERIFIERS.keys() - {"sat"}))
def test_a_gold_answer_that_says_nothing(name, gold):
    prompt = type(chat("?"))(messages=chat("?").messages, answer=gold, source="a.jsonl:3")
    with pytest.raises(BadInput, match=r"^a\.jsonl:3: the gold answer .*\nName its field"):
        load_verifier(name).correct("#### 1", prompt)


def test_an_unknown_verifier():
    with pytest.raises(BadInput) as error:
        load_verifier("maths")
    assert str(error.value) == (
        "unknown verifier 'maths'. Did you mean 'math'?\nKnown: exact, knights, math, number, sat."
    )


def test_math_names_the_package_that_it_lacks(monkeypatch):
    monkeypatch.setattr(maths, "find_spec", lambda name: None)
    with pytest.raises(BadInput) as error:
        load_verifier("math")
    assert str(error.value) == (
        "the verifier 'math' compares answers with the package 'math-verify'; it is not "
        "installed.\nInstall it with `pip install '.[math]'`."
    )


def test_a_verifier_of_the_users_is_named_by_its_place(monkeypatch, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from wellworn.verifiers import Verifier\n"
        "def load():\n"
        "    return Verifier('mine', lambda t, p: t == 'yes', lambda t: t, lambda t: True)\n"
        "def nothing():\n"
        "    return 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = load_verifier("mine:load")
    assert found.name == "mine"
    assert found.correct("yes", chat("?"))
    with pytest.raises(BadInput, match="returned int"):
        load_verifier("mine:nothing")
    with pytest.raises(BadInput, match="no attribute 'lod'"):
        load_verifier("mine:lod")
    with pytest.raises(BadInput, match="No module named 'nine'"):
        load_verifier("nine:load")
