"""What an experiment is, out of a file and a recipe."""

import pytest

from wellworn.errors import BadInput
from wellworn.lab.config import load_config, recipes
from wellworn.lab.tasks import TASKS


@pytest.mark.parametrize("name", recipes())
def test_every_recipe_is_an_experiment(name):
    config = load_config(name)
    assert config.task in TASKS
    assert config.rl.steps % config.audit.every == 0


def test_every_task_has_a_recipe():
    assert set(TASKS) <= set(recipes())


def test_a_file_begins_from_the_recipe_of_its_task(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('task = "countdown"\nhalf = "B"\n[rl]\nalgorithm = "ppo"\n')
    config, recipe = load_config(str(path)), load_config("countdown")
    assert (config.half, config.rl.algorithm) == ("B", "ppo")
    assert config.rl.max_tokens == recipe.rl.max_tokens
    assert config.pretraining == recipe.pretraining


def test_a_file_can_name_another_recipe(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('recipe = "countdown-two-stage"\nseed = 3\n')
    config = load_config(str(path))
    assert (config.task, config.level, config.seed) == ("countdown", "standard", 3)


def test_changes_have_the_last_word(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('task = "sat"\nseed = 3\n')
    assert load_config(str(path), {"seed": 4, "rl": {"steps": 9}}).seed == 4
    assert load_config("sat", {"rl": {"steps": 9}}).rl.steps == 9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('task = "countdwn"', r"'countdwn'.*'countdown'"),
        ("seed = 1", "recipe"),
        ('task = "sat"\n[rl]\nalgorithm = "grop"', r"'grop'.*'grpo'"),
        (
            'task = "sat"\n[rl]\nstep = 1',
            r"unknown field `step`.*\$\.rl.*\[rl\] can have algorithm, steps",
        ),
        ('task = "sat"\nseed = "x"', r"Expected `int`, got `str` - at `\$\.seed`"),
        ('task = "sat"\n[model]\nhidden = 90\nheads = 4', "90.*4 heads.*multiple of 8"),
        ('task = "sat', "mine.toml"),
        ('task = "sat"\nmembers = 0', r">= 1 - at `\$\.members`"),
        ('task = "sat"\n[audit]\nevery = 0', r">= 1 - at `\$\.audit\.every`.*\[audit\] can have"),
        ('task = "sat"\nlevel = "tiny"', r"'tiny'.*standard, easy, short, long"),
    ],
)
def test_a_wrong_file_says_where_and_what(tmp_path, text, said):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=f"(?s){said}"):
        load_config(str(path))


def test_what_is_neither_a_file_nor_a_recipe_lists_the_recipes():
    with pytest.raises(BadInput, match=r"(?s)countdown2.*countdown"):
        load_config("countdown2")
