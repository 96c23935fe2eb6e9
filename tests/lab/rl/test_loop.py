"""The loop: what it learns, what it counts, and that stopping it changes nothing."""

from io import BytesIO

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.errors import BadInput  # noqa: E402
from wellworn.lab.policy import encoded  # noqa: E402
from wellworn.lab.rl.algorithms import ALGORITHMS  # noqa: E402
from wellworn.lab.rl.loop import TRIES, Loop, Recipe, Subject  # noqa: E402

ALWAYS, NEVER, SOMETIMES = tiny_lab.ITEMS[:3]


def scripted(item, text):
    """Return whether an answer is right: always, never, or if it is "ok"."""
    return item == ALWAYS or (item != NEVER and text == "ok")


def looped(made, items=(ALWAYS, NEVER, SOMETIMES), **recipe):
    model, tokenizer = made
    given = {"steps": 4, "prompts": 3, "completions": 8, "max_tokens": 6, "learning_rate": 1e-3}
    subject = Subject(model, tokenizer, tiny_lab.task(scripted), items)
    return Loop(subject, Recipe(**given | recipe), seed=3)


def weights(loop):
    return {name: value.clone() for name, value in loop._learner.model.state_dict().items()}


def same(first, second):
    return all(torch.equal(first[name], second[name]) for name in first)


def untimed(steps):
    return [replace(step, seconds=0) for step in steps]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_loop_that_was_stopped_goes_on_as_if_it_had_not_been(untaught, taught, algorithm):
    model, tokenizer = taught
    start = {name: value.clone() for name, value in model.state_dict().items()}
    whole = looped((model, tokenizer), algorithm=algorithm, prompts=2)
    steps = untimed(whole.steps())
    wanted = weights(whole)
    assert not same(wanted, start)

    def again():
        fresh, _ = tiny_lab.random_model()
        fresh.load_state_dict(start)
        return looped((fresh, tokenizer), algorithm=algorithm, prompts=2)

    first, file = again(), BytesIO()
    running = first.steps()
    begun = untimed(next(running) for _ in range(2))
    torch.save(first.state(), file)
    file.seek(0)
    second = again()
    second.restore(torch.load(file, weights_only=False))
    assert second.done == 2
    assert begun + untimed(second.steps()) == steps
    assert same(weights(second), wanted)
    assert second.exposures == whole.exposures


@pytest.mark.parametrize("algorithm", ["grpo", "grpo-unscaled", "grpo-kl", "dpo"])
def test_exposures_tell_prompts_that_taught_from_those_that_did_not(taught, algorithm):
    loop = looped(taught, algorithm=algorithm)
    steps = list(loop.steps())
    always, never, sometimes = loop.exposures
    assert [each.drawn for each in loop.exposures] == [4, 4, 4]
    assert (always.informative, never.informative) == (0, 0)
    assert sometimes.informative == sum(round(step.informative * 3) for step in steps) > 0


def test_a_critic_learns_from_every_prompt(taught):
    loop = looped(taught, algorithm="ppo")
    list(loop.steps())
    assert [(each.drawn, each.informative) for each in loop.exposures] == [(4, 4)] * 3


def test_imitation_learns_from_every_right_answer_of_its_teacher(untaught, taught):
    student, tokenizer = untaught
    teacher, _ = taught
    before = {name: value.clone() for name, value in teacher.state_dict().items()}
    recipe = Recipe(algorithm="distill", steps=4, prompts=3, max_tokens=6, learning_rate=1e-3)
    items, task = (ALWAYS, NEVER, SOMETIMES), tiny_lab.task(scripted)
    right = encoded(tokenizer, SOMETIMES.prompt, "ok")
    unlikely = tiny_lab.direct_logps(student, right).sum()
    loop = Loop(Subject(student, tokenizer, task, items, teacher), recipe, seed=0)
    steps = list(loop.steps())
    assert [each.informative for each in loop.exposures] == [4, 0, 4]
    assert steps[0].pass_rate > 1 / 4  # the student itself would hardly end an answer
    assert tiny_lab.direct_logps(student, right).sum() > unlikely
    assert same(before, teacher.state_dict())


def test_prompts_that_are_always_or_never_solved_change_nothing(taught):
    loop = looped(taught, items=(ALWAYS, NEVER), prompts=2)
    before = weights(loop)
    assert {step.pass_rate for step in loop.steps()} == {0.5}
    assert same(before, weights(loop))


def test_dynamic_sampling_draws_until_enough_groups_teach(taught):
    loop = looped(taught, algorithm="dapo", prompts=2, max_tokens=12)
    steps = list(loop.steps())
    always, never, sometimes = loop.exposures
    drawn = sum(each.drawn for each in loop.exposures)
    assert drawn > 2 * len(steps)
    assert drawn % 2 == 0
    assert (always.informative, never.informative) == (0, 0)
    assert 0 < sometimes.informative <= sometimes.drawn


def test_dynamic_sampling_gives_up_where_nothing_teaches(taught):
    loop = looped(taught, items=(ALWAYS, NEVER), algorithm="dapo", prompts=2, steps=2)
    before = weights(loop)
    steps = list(loop.steps())
    assert [each.drawn for each in loop.exposures] == [2 * TRIES, 2 * TRIES]
    assert [step.informative for step in steps] == [0, 0]
    assert same(before, weights(loop))


def test_dynamic_sampling_takes_no_more_groups_than_a_step_has(taught):
    loop = looped(taught, items=tiny_lab.ITEMS[2:], algorithm="dapo", prompts=3, steps=1)
    list(loop.steps())
    assert sum(each.informative for each in loop.exposures) <= 3


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_is_rewarded_comes_more_often(taught, algorithm):
    recipe = {"algorithm": algorithm, "steps": 12, "prompts": 4, "learning_rate": 5e-3}
    loop = looped(taught, items=tiny_lab.ITEMS[2:], **recipe)
    steps = list(loop.steps())
    assert 0.2 < steps[0].pass_rate < 0.8
    assert sum(step.pass_rate for step in steps[-3:]) / 3 > 0.8


def test_steps_say_what_was_drawn(taught):
    loop = looped(taught, steps=2)
    steps = list(loop.steps())
    assert [step.step for step in steps] == [1, 2]
    for step in steps:
        assert step.tokens == pytest.approx(step.length * 24)
        assert 1 / 3 <= step.pass_rate <= 2 / 3
        assert 0 < step.entropy < 2
        assert step.seconds > 0


def test_an_unknown_algorithm_is_refused():
    with pytest.raises(BadInput, match=r"^rl: unknown algorithm 'grop'\. Did you mean 'grpo'\?"):
        Recipe(algorithm="grop")
