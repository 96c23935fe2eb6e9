"""TRL's trainer on the members: the recipe that it is given, what it counts, and a resumed run.

TRL is not among what `make test` installs; where it is absent, only refusals are tested.
"""

import shutil
import sys

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

import tiny_lab  # noqa: E402
from wellworn.errors import BadInput  # noqa: E402
from wellworn.lab import models  # noqa: E402
from wellworn.lab.rl.grpo_config import settings  # noqa: E402
from wellworn.lab.rl.loop import Recipe  # noqa: E402
from wellworn.lab.trl import TrlRun  # noqa: E402

ALWAYS, NEVER, SOMETIMES = tiny_lab.ITEMS[:3]
RECIPE = Recipe(steps=4, prompts=3, completions=8, max_tokens=6, learning_rate=1e-3)


@pytest.fixture
def checkpoint(taught, tmp_path):
    models.save(tmp_path / "base", *taught)
    return tmp_path / "base"


@pytest.fixture
def _trl():
    """Skip without TRL, and let it warn of whatever it likes."""
    pytest.importorskip("trl", reason="TRL is not installed")


with_trl = pytest.mark.filterwarnings("ignore")


def run_of(checkpoint, recipe=RECIPE):
    def scripted(item, text):
        return item == ALWAYS or (item != NEVER and text == "ok")

    items = (ALWAYS, NEVER, SOMETIMES)
    return TrlRun(checkpoint, tiny_lab.task(scripted), items, recipe, seed=3)


@pytest.mark.parametrize("algorithm", ["ppo", "dpo", "distill"])
def test_what_trl_does_not_have_is_refused(tmp_path, algorithm):
    with pytest.raises(
        BadInput, match=rf"no {algorithm}; it has grpo, grpo-unscaled, grpo-kl, dapo\.\n"
    ):
        run_of(tmp_path, Recipe(algorithm=algorithm))


@pytest.mark.parametrize("changed", [{"completions": 1, "updates": 1}, {"updates": 5}])
def test_what_trl_cannot_cut_is_refused(tmp_path, changed):
    with pytest.raises(BadInput, match=r"equal parts.*\nChange updates or completions"):
        run_of(tmp_path, replace(RECIPE, **changed))


def test_without_trl_the_way_out_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trl", None)
    with pytest.raises(BadInput, match=r"^TRL is not installed\.\nInstall it with `pip install"):
        run_of(tmp_path)


@with_trl
@pytest.mark.usefixtures("_trl")
@pytest.mark.parametrize(
    ("algorithm", "loss", "scale", "kl", "high"),
    [
        ("grpo", "grpo", "group", 0.0, 0.2),
        ("grpo-unscaled", "dr_grpo", "none", 0.0, 0.2),
        ("grpo-kl", "grpo", "group", 0.05, 0.2),
        ("dapo", "dapo", "group", 0.0, 0.28),
    ],
)
def test_the_recipe_is_told_in_the_words_of_trl(tmp_path, algorithm, loss, scale, kl, high):
    recipe = Recipe(algorithm=algorithm, steps=30, max_tokens=44, learning_rate=3e-4)
    told = settings(recipe, tmp_path, 10, seed=7)
    assert (told.loss_type, told.scale_rewards, told.beta) == (loss, scale, kl)
    assert (told.epsilon, told.epsilon_high) == (0.2, high)
    assert (told.max_steps, told.save_steps, told.steps_per_generation) == (60, 20, 2)
    assert (told.generation_batch_size, told.per_device_train_batch_size) == (128, 64)
    assert (told.num_generations, told.max_completion_length) == (8, 44)
    assert (told.learning_rate, told.weight_decay, told.adam_beta2) == (3e-4, 0.0, 0.99)
    assert (told.temperature, told.max_grad_norm, told.seed) == (1.0, 1.0, 7)


@with_trl
@pytest.mark.usefixtures("_trl")
def test_a_run_counts_what_it_drew_and_goes_on_where_it_was_stopped(checkpoint, tmp_path):
    whole, steps, kept = run_of(checkpoint), [], []
    whole.train(tmp_path / "trl", 2, steps.append, kept.append)
    always, never, sometimes = whole.exposures
    assert kept == [2, 4]
    assert [step.step for step in steps] == [1, 2, 3, 4]
    assert [each.drawn for each in whole.exposures] == [4, 4, 4]
    assert (always.informative, never.informative) == (0, 0)
    assert sometimes.informative == sum(round(step.informative * 3) for step in steps) > 0
    assert all(1 / 3 <= step.pass_rate <= 2 / 3 for step in steps)

    shutil.rmtree(tmp_path / "trl" / "checkpoint-8")  # as if killed before the end
    second, later = run_of(checkpoint), []
    second.train(tmp_path / "trl", 2, later.append)
    assert [replace(s, seconds=0) for s in later] == [replace(s, seconds=0) for s in steps[2:]]
    assert second.exposures == whole.exposures
    weights = second.model.state_dict()
    assert all(torch.equal(v, weights[k]) for k, v in whole.model.state_dict().items())

    third = run_of(checkpoint)
    third.train(tmp_path / "trl", 2, later.append)
    assert (third.done, len(later)) == (4, 2)


@with_trl
@pytest.mark.usefixtures("_trl")
def test_a_checkpoint_that_was_cut_off_does_not_count(checkpoint, tmp_path):
    run_of(checkpoint).train(tmp_path / "trl", 2, lambda step: None)
    (tmp_path / "trl" / "checkpoint-8" / "exposures.json").unlink()
    again, steps = run_of(checkpoint), []
    again.train(tmp_path / "trl", 2, steps.append)
    assert [step.step for step in steps] == [3, 4]


@with_trl
@pytest.mark.usefixtures("_trl")
def test_the_model_saved_is_one_that_the_lab_loads(checkpoint, tmp_path):
    run = run_of(checkpoint)
    run.train(
        tmp_path / "trl",
        4,
        lambda step: None,
        lambda done: models.save(tmp_path / f"{done}", run.model, run.tokenizer),
    )
    model, tokenizer = models.load(tmp_path / "4")
    weights = run.model.state_dict()
    assert all(torch.equal(v, weights[k]) for k, v in model.state_dict().items())
    ids = tokenizer.apply_chat_template(
        [{"role": "user", "content": ALWAYS.prompt}], add_generation_prompt=True
    )["input_ids"]
    assert ids == models.prompt_ids(tokenizer, ALWAYS.prompt)
