"""Pretraining: what it draws, what it learns, and that stopping it changes nothing."""

from io import BytesIO
from random import Random
from typing import ClassVar

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.lab.policy import encoded  # noqa: E402
from wellworn.lab.pretraining import Pretrainer, Pretraining, Source, rate  # noqa: E402
from wellworn.lab.tasks import load_task  # noqa: E402

RECIPE = Pretraining(steps=6, batch=8, learning_rate=1e-2)


def pretrainer():
    return Pretrainer(*tiny_lab.random_model(), tiny_lab.source(), RECIPE)


def weights(trainer):
    return trainer.state()["model"]


def test_what_is_taken_is_never_drawn():
    task = load_task("countdown")
    free = {prompt for prompt, _ in Source(task, "short", set(), seed=0).draw(300)}
    items = task.generate(5, 200, "short")
    taken = {task.canonical(item) for item in items}
    drawn = Source(task, "short", taken, seed=0).draw(300)
    numbers = {task.canonical(item): item.prompt for item in items}
    assert free & set(numbers.values())
    assert not {prompt for prompt, _ in drawn} & set(numbers.values())


def test_traces_solve_their_prompts():
    task = load_task("countdown")
    source = Source(task, "standard", set(), seed=1, repeated=task.generate(0, 3), share=1.0)
    known = {item.prompt: item for item in task.generate(0, 3)}
    drawn = source.draw(40)
    assert {prompt for prompt, _ in drawn} == set(known)
    assert all(task.verify(known[prompt], text) for prompt, text in drawn)
    assert len(set(drawn)) > 20


def test_a_share_of_the_traces_is_of_what_is_repeated():
    task = load_task("countdown")
    known = task.generate(0, 3)
    source = Source(task, "standard", set(), seed=1, repeated=known, share=0.25)
    prompts = [prompt for prompt, _ in source.draw(800)]
    repeated = sum(prompt in {item.prompt for item in known} for prompt in prompts)
    assert 150 < repeated < 250  # 200 are expected; three standard deviations are 37


def test_the_first_steps_are_on_short_problems():
    class Told:
        rng = Random(0)
        asked: ClassVar[list[bool]] = []

        def draw(self, count, short):
            self.asked.append(short)
            return [("go", "ok")] * count

    recipe = Pretraining(steps=5, short=2, batch=2)
    list(Pretrainer(*tiny_lab.random_model(), Told(), recipe).steps())
    assert Told.asked == [True, True, False, False, False]


def test_short_traces_are_of_short_problems():
    source = Source(load_task("tries"), "standard", set(), seed=3)
    assert {trace.count("\n") for _, trace in source.draw(20, short=True)} == {1}
    assert {trace.count("\n") for _, trace in source.draw(20)} == {15}


def test_a_pretrainer_that_was_stopped_goes_on_as_if_it_had_not_been():
    whole = pretrainer()
    steps = [replace(step, seconds=0) for step in whole.steps()]
    first, file = pretrainer(), BytesIO()
    running = first.steps()
    begun = [replace(next(running), seconds=0) for _ in range(3)]
    torch.save(first.state(), file)
    file.seek(0)
    second = pretrainer()
    second.restore(torch.load(file, weights_only=False))
    assert second.done == 3
    assert begun + [replace(step, seconds=0) for step in second.steps()] == steps
    assert all(torch.equal(value, weights(second)[name]) for name, value in weights(whole).items())


def test_the_loss_is_the_mean_over_tokens_of_the_traces():
    model, tokenizer = tiny_lab.random_model()
    pairs = [encoded(tokenizer, *drawn) for drawn in tiny_lab.source().draw(8)]
    with torch.no_grad():
        logps = torch.cat([tiny_lab.direct_logps(model, pair) for pair in pairs])
    step = next(pretrainer().steps())
    assert step.tokens == len(logps)
    assert step.loss == pytest.approx(-logps.mean().item(), abs=1e-4)


def test_what_cannot_be_foretold_is_all_that_is_left():
    recipe = Pretraining(steps=120, batch=16, learning_rate=2e-2)
    trainer = Pretrainer(*tiny_lab.random_model(), tiny_lab.source(), recipe)
    losses = [step.loss for step in trainer.steps()]
    least = 0.6931 / 2  # a coin for the word, nothing for the end: two tokens
    assert losses[0] > 2
    assert sum(losses[-20:]) / 20 == pytest.approx(least, abs=0.08)


def test_the_learning_rate_rises_and_falls():
    recipe = Pretraining(steps=1000, learning_rate=2.0)
    rates = [rate(step, recipe) for step in range(1000)]
    assert rates[0] == pytest.approx(2.0 * 0.01 * (1 - 0.0009))
    assert max(rates) == rates[99]
    assert rates[999] == pytest.approx(0.2)
