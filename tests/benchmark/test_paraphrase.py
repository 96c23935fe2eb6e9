"""Rewritings that are kept, and those that are not, with the reasons."""

import json
import re

import pytest

from wellworn.backends import Target, open_backend
from wellworn.benchmark.paraphrase import INSTRUCTION, asker, fault, paraphrase
from wellworn.errors import Refused, Unreachable
from wellworn.records import Generation, Message, Prompt, chat

ANN = "Ann has 3 pears and eats 1. How many are left?"


def told(text):
    """Return the problem that a model is told to rewrite."""
    assert text.startswith(INSTRUCTION)
    return text.removeprefix(INSTRUCTION)


def say_it_in_capitals(text, seed):
    return told(text).upper()


def say_there_is(text, seed):
    return told(text).replace("has", "owns")


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("Of 3 pears, Ann eats 1. How many does she keep?", None),
        ("How many are left? Ann has 3 pears and eats 1.", None),
        (ANN, "no word of it has changed"),
        (ANN.upper().replace(".", " …"), "no word of it has changed"),
        ("Ann has three pears and eats 1. How many are left?", "its numbers differ: without 3"),
        ("Ann has 3 pears and eats 1. Are 2 left, or not?", "its numbers differ: with 2"),
        (
            "Ann has 4 pears and eats 2. How many are left?",
            "its numbers differ: without 3 and 1, with 4 and 2",
        ),
        ("Ann has 3 pears and 3 and eats 1. How many left?", "its numbers differ: with 3"),
        ("Ann: 3 pears. 1 eaten.", "it is 0.48 times as long; 0.7 to 1.4 is kept"),
        (f"{ANN} Think about it very carefully.", "it is 1.67 times as long; 0.7 to 1.4 is kept"),
        ("", "its numbers differ: without 3 and 1"),
    ],
)
def test_what_stands_for_a_problem(new, why):
    assert fault(ANN, new) == why


def test_numbers_are_the_same_however_they_are_written():
    assert (
        fault("It costs $1,000 to fly, and -5.0 % more.", "Flying costs 1000 $, -5 % on top.")
        is None
    )


def test_a_rewriting_that_tells_the_answer():
    why = fault(
        "What colour has the sky at noon?",
        "Is the sky blue at 12 at noon?".replace("12 ", ""),
        "Blue",
    )
    assert why == "it tells the answer"
    assert fault("Is it blue or red today?", "Is it red or blue today?", "blue") is None


def test_all_prompts_are_rewritten_alike_and_keep_the_rest():
    prompts = [
        Prompt(
            messages=(Message("system", "Be brief."), Message("user", "Ann has 3 pears.")),
            answer="3",
            source="a",
        ),
        Prompt(text="Bo has 4 plums.", answer="4"),
    ]
    rewrites = paraphrase(prompts, say_there_is)
    assert rewrites.rejected == {}
    chat_, text = (rewrites.kept[prompt.id] for prompt in prompts)
    assert [m.content for m in chat_.messages] == ["Be brief.", "Ann owns 3 pears."]
    assert (chat_.answer, chat_.source, text.text, text.answer) == (
        "3",
        "a",
        "Bo owns 4 plums.",
        "4",
    )
    labels = {prompts[0].id: True, prompts[1].id: False}
    assert rewrites.labels(labels) == {chat_.id: True, text.id: False}


def test_what_all_prompts_share_at_their_ends_stays_as_it_is():
    form = 'Let\'s think and output the answer after "####".'
    prompts = [
        chat(f"Solve this. {who} has {n} pears? {form}") for who, n in (("Ann", 3), ("Al", 4))
    ]
    seen = []

    def ask(text, seed):
        seen.append(told(text))
        return seen[-1].replace("has", "owns")

    rewrites = paraphrase(prompts, ask)
    assert seen == ["Ann has 3 pears?", "Al has 4 pears?"]
    assert [p.shown for p in rewrites.kept.values()] == [
        f"Solve this. Ann owns 3 pears? {form}",
        f"Solve this. Al owns 4 pears? {form}",
    ]


def test_line_breaks_around_a_problem_stay():
    [kept] = paraphrase([chat("\n\nAnn has 3 pears.\n")], say_there_is).kept.values()
    assert kept.shown == "\n\nAnn owns 3 pears.\n"


def test_a_bad_rewriting_is_asked_for_again_with_another_seed():
    seeds = []

    def ask(text, seed):
        seeds.append(seed)
        return told(text) if len(seeds) < 3 else "Of 3 pears, Ann eats 1. How many does she keep?"

    rewrites = paraphrase([chat(ANN)], ask)
    assert len(rewrites.kept) == 1
    assert len(set(seeds)) == 3
    first, seeds[:] = tuple(seeds), []
    paraphrase([chat(ANN)], ask)
    assert tuple(seeds) == first
    seeds.clear()
    paraphrase([chat(ANN)], ask, seed=1)
    assert set(seeds).isdisjoint(first)


def test_a_prompt_that_cannot_be_rewritten_is_listed_with_each_reason():
    answers = iter(["", ANN, "Ann has 3 pears and eats 1. How many are left?!"])
    rewrites = paraphrase([chat(ANN)], lambda text, seed: next(answers))
    assert rewrites.kept == {}
    assert rewrites.rejected == {
        chat(ANN).id: (
            "its numbers differ: without 3 and 1",
            "no word of it has changed",
            "no word of it has changed",
        )
    }


def test_a_refusal_is_a_reason_but_a_server_that_is_gone_ends_it():
    def refuse(text, seed):
        raise Refused("too rude")

    def vanish(text, seed):
        raise Unreachable("nobody there")

    [reasons] = paraphrase([chat(ANN)], refuse).rejected.values()
    assert reasons == ("the model refused: too rude",) * 3
    with pytest.raises(Unreachable):
        paraphrase([chat(ANN)], vanish)


def test_a_prompt_that_is_all_template_is_rejected():
    prompts = [chat("Say it.  Please."), chat("Say it. At once, I beg you. Please.")]
    rewrites = paraphrase(prompts, lambda text, seed: told(text).replace("At once", "Right now"))
    assert [p.shown for p in rewrites.kept.values()] == ["Say it. Right now, I beg you. Please."]
    assert set(rewrites.rejected[prompts[0].id]) == {
        "there is nothing in it that the other prompts do not share"
    }


def test_any_backend_can_be_asked(tmp_path):
    script = {"answers": {f"{INSTRUCTION}{ANN}": [ANN.replace("eats", "ate")]}}
    path = tmp_path / "script.json"
    path.write_text(json.dumps(script))
    backend = open_backend(Target(model=f"fake/{path}"))
    rewrites = paraphrase([chat(ANN)], asker(backend, Generation(model=backend.identity)))
    assert [p.shown for p in rewrites.kept.values()] == [ANN.replace("eats", "ate")]


def test_published_prompts_keep_their_instructions(shared):
    from wellworn.benchmark.suites import load_suite

    for name, end in (("gsm8k", '"####".'), ("kk", "and who is a knave?")):
        suite = load_suite(name, shared / "data/rl-mia")
        rewrites = paraphrase(
            suite.prompts, lambda text, seed: re.sub(r"\bis\b", "was", told(text))
        )
        assert rewrites.kept
        assert all(p.shown.endswith(end) for p in rewrites.kept.values())
        assert rewrites.kept.keys() | rewrites.rejected.keys() == suite.labels.keys()
