"""What is exported: rows, prompts, labels, and that they speak of the same problems."""

import csv
from random import Random

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wellworn.errors import BadInput
from wellworn.lab.exports import EXPORTS, Settings, export
from wellworn.lab.exports.contamination import contamination
from wellworn.lab.injection import Pools, inject
from wellworn.lab.tasks import TASKS, load_task
from wellworn.labels import read_labels
from wellworn.prompts import Fields, read_prompts
from wellworn.records import Message, Prompt
from wellworn.verifiers import load_verifier

FILLER = 5
every_export = pytest.mark.parametrize(
    ("to", "name"), [(to, name) for to in EXPORTS for name in TASKS], ids=lambda value: value
)


def rows(path):
    return pq.read_table(path).to_pylist()


def ground_truth(row):
    return row["reward_model"]["ground_truth"] if "reward_model" in row else row["ground_truth"]


def prompt_id(row):
    return Prompt(messages=tuple(Message(**turn) for turn in row["prompt"])).id


def plain(kind):
    """Return an Arrow type as names, lists and dicts."""
    if pa.types.is_list(kind):
        return [plain(kind.value_type)]
    if pa.types.is_struct(kind):
        return {field.name: plain(field.type) for field in kind}
    return str(kind)


@every_export
def test_the_columns_are_those_that_the_trainer_reads(exported, to, name):
    for file in ("train.parquet", "held_out.parquet"):
        schema = pq.read_schema(exported[to, name] / file)
        own = {
            "verl": {
                "ability": "string",
                "reward_model": {"style": "string", "ground_truth": "string"},
                "extra_info": {"split": "string", "index": "int64", "prompt_id": "string"},
            },
            "trl": {"ground_truth": "string"},
        }
        assert {field.name: plain(field.type) for field in schema} == {
            "prompt": [{"role": "string", "content": "string"}],
            "data_source": "string",
            **own[to],
        }


@pytest.mark.parametrize("name", TASKS)
def test_rows_of_verl_say_that_a_rule_rewards_them(exported, name):
    for file, split in (("train.parquet", "train"), ("held_out.parquet", "test")):
        found = rows(exported["verl", name] / file)
        for index, row in enumerate(found):
            assert row["data_source"] == f"wellworn/{name}"
            assert row["ability"] == name
            assert row["reward_model"]["style"] == "rule"
            assert row["extra_info"] == {
                "split": split,
                "index": index,
                "prompt_id": prompt_id(row),
            }


@every_export
def test_every_row_asks_its_own_problem_and_rewards_its_gold_answer(exported, module, to, name):
    folder, task = exported[to, name], load_task(name)
    compute_score = module(folder / "reward.py").compute_score
    for row in rows(folder / "train.parquet") + rows(folder / "held_out.parquet"):
        item = msgspec.json.decode(ground_truth(row), type=task.kind)
        [turn] = row["prompt"]
        assert turn == {"role": "user", "content": item.prompt}
        assert item.prompt.startswith(f"{task.instruction}\n\n")
        assert compute_score(row["data_source"], item.answer, ground_truth(row)) == 1.0
        assert compute_score(row["data_source"], "", ground_truth(row)) == 0.0


@every_export
def test_nothing_that_is_trained_on_is_held_out_in_any_form(exported, injections, to, name):
    folder, task = exported[to, name], load_task(name)
    trained, held_out = (
        {
            task.canonical(msgspec.json.decode(ground_truth(row), type=task.kind))
            for row in rows(folder / f"{file}.parquet")
        }
        for file in ("train", "held_out")
    )
    assert len(trained) == 12 + FILLER
    assert len(held_out) == 12
    assert not trained & held_out
    injection = injections[name]
    assert held_out == set(map(task.canonical, injection.held_out))
    filler = trained - set(map(task.canonical, injection.members))
    assert len(filler) == FILLER
    assert not filler & {task.canonical(item) for items in injection for item in items}


@every_export
def test_labels_name_the_chats_that_are_trained_on_and_audited(exported, to, name):
    folder = exported[to, name]
    with (folder / "labels.csv").open(newline="") as file:
        labels = {row["prompt_id"]: row["member"] for row in csv.DictReader(file)}
    members, held_out = (
        read_prompts(str(folder / f"{half}.jsonl"), Fields()).prompts
        for half in ("members", "held_out")
    )
    assert labels == {p.id: "1" for p in members} | {p.id: "0" for p in held_out}
    assert len(labels) == 24
    known = read_labels(folder / "labels.csv", [*members, *held_out])
    assert known == {p.id: True for p in members} | {p.id: False for p in held_out}
    trained = {prompt_id(row) for row in rows(folder / "train.parquet")}
    assert trained & labels.keys() == {p.id for p in members}
    assert {prompt_id(row) for row in rows(folder / "held_out.parquet")} == {p.id for p in held_out}


@every_export
def test_an_audit_verifies_the_exported_prompts_as_training_does(exported, injections, to, name):
    task, rng = load_task(name), Random(3)
    verifier = load_verifier(f"wellworn.lab.verifiers:{name}")
    prompts = read_prompts(str(exported[to, name] / "members.jsonl"), Fields()).prompts
    for prompt, item in zip(prompts, injections[name].members, strict=True):
        assert verifier.correct(task.trace(item, rng), prompt)
        assert not verifier.correct("", prompt)


@every_export
def test_the_order_of_rows_says_nothing_of_membership(exported, to, name):
    ids = [prompt_id(row) for row in rows(exported[to, name] / "train.parquet")]
    assert ids == sorted(ids)


@every_export
def test_the_readme_says_what_is_what_and_names_a_verifier(exported, to, name):
    text = (exported[to, name] / "README.md").read_text()
    assert f"12 members and {FILLER} filler" in text
    assert f"--verifier wellworn.lab.verifiers:{name}" in text
    assert max(map(len, text.split("\n"))) <= 100
    files = {file.name for file in exported[to, name].iterdir() if file.is_file()}
    named = {file for file in files if f"`{file}`" in text}
    assert files - named == {"README.md", "member_twins.jsonl", "held_out_twins.jsonl"}


def test_trl_says_that_it_has_no_ppo(exported):
    folder = exported["trl", "sat"]
    assert "no PPO" in (folder / "README.md").read_text()
    assert not list(folder.glob("ppo*"))


def small(name="sat", half=6):
    return load_task(name), inject(load_task(name), "standard", Pools(half=half, easy=1), 0)


def test_the_files_that_were_written_are_returned(tmp_path):
    paths = export("verl", *small(), tmp_path / "new", Settings())
    assert sorted(paths) == sorted((tmp_path / "new").iterdir())
    assert {"grpo.sh", "dapo.sh", "ppo.sh", "reward.py"} < {path.name for path in paths}
    assert export("verl", *small(), tmp_path / "new", Settings()) == paths


def test_other_seeds_and_levels_give_other_filler():
    task, injection = small()

    def filler(**changes):
        found = contamination(task, injection, Settings(filler=20, **changes))
        return {item.prompt for item in found.trained} - {i.prompt for i in found.injection.members}

    assert filler() == filler()
    assert not filler() & filler(seed=1)
    easy = filler(level="easy")
    assert len(easy) == 20
    assert not filler() & easy


def test_an_unknown_trainer_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"unknown trainer 'tlr'\. Did you mean 'trl'\?\nKnown: trl"):
        export("tlr", *small(), tmp_path, Settings())


def test_too_little_to_train_on_is_refused(tmp_path):
    with pytest.raises(BadInput, match="3 prompts are trained on, but a minibatch of arithmetic"):
        export("trl", *small("arithmetic", half=3), tmp_path, Settings())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"filler": -1}, "--filler is -1; it must be 0 or more"),
        ({"epochs": 0}, "--epochs is 0; it must be 1 or more"),
    ],
)
def test_settings_without_meaning_are_refused(changes, message):
    with pytest.raises(BadInput, match=message):
        Settings(**changes)


def test_a_folder_that_cannot_be_made_is_an_error_that_says_so(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(BadInput, match=r"taken: the export cannot be written \(File exists\)"):
        export("verl", *small(), tmp_path / "taken", Settings())
