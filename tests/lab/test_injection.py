"""Which prompts are trained on: halves of one pool, swapped, and what stands beside them."""

import csv
import json

import pytest

from wellworn.lab.injection import Pools, inject, labels_of, pool_of, write
from wellworn.lab.tasks import TASKS, load_task
from wellworn.prompts import read_prompts

SIZES = Pools(half=10, easy=6)


@pytest.fixture(scope="module", params=["countdown", "tries", "arithmetic", "sat", "code"])
def task(request):
    return load_task(request.param)


def test_every_task_can_be_injected():
    assert set(TASKS) == {"countdown", "tries", "arithmetic", "sat", "code", "knights"}
    assert len(inject(load_task("knights"), "standard", Pools(half=3, easy=2), 0).members) == 3


def test_the_reversed_model_swaps_the_halves(task):
    one, other = (inject(task, "standard", SIZES, 7, half) for half in "AB")
    assert one.members == other.held_out
    assert one.held_out == other.members
    assert one.easy == other.easy


def test_another_split_cuts_the_same_pool_in_another_way(task):
    one, other = (inject(task, "standard", SIZES, split) for split in (0, 1))
    assert one.members != other.members
    pool, _ = pool_of(task, "standard", SIZES)
    for each in (one, other):
        assert sorted([*each.members, *each.held_out], key=str) == sorted(pool, key=str)


def test_no_set_holds_a_problem_of_another_but_for_twins(task):
    found = inject(task, "standard", SIZES, 0)
    forms = [{task.canonical(item) for item in items} for items in found]
    members, held_out, easy, member_twins, held_out_twins = forms
    assert members.isdisjoint(held_out | easy)
    assert held_out.isdisjoint(easy)
    assert member_twins <= members
    assert held_out_twins <= held_out
    prompts = {item.prompt for items in found[:3] for item in items}
    assert all(item.prompt not in prompts for items in found[3:] for item in items)


def test_fewer_members_are_the_first_of_each_half(task):
    whole, few = inject(task, "standard", SIZES, 0), inject(task, "standard", SIZES, 0, "A", 4)
    assert few.members == whole.members[:4]
    assert few.held_out == whole.held_out[:4]
    assert few.easy == whole.easy[:4]


def test_twins_are_the_same_whatever_the_split(task):
    texts = [
        {i.prompt for i in (*found.member_twins, *found.held_out_twins)}
        for found in (inject(task, "standard", SIZES, split) for split in (0, 1))
    ]
    assert texts[0] == texts[1]


def test_the_files_are_prompt_files_with_labels_by_id(task, tmp_path):
    found = inject(task, "standard", SIZES, 0)
    write(tmp_path, found)
    read = {name: read_prompts(str(tmp_path / f"{name}.jsonl")) for name in found._fields}
    with (tmp_path / "labels.csv").open() as file:
        labels = {row["prompt_id"]: row["member"] for row in csv.DictReader(file)}
    assert {p.id: "1" for p in read["members"].prompts} | {
        p.id: "0" for p in read["held_out"].prompts
    } == labels
    assert labels == {name: str(label) for name, label in labels_of(found).items()}
    first = json.loads((tmp_path / "easy.jsonl").read_text().splitlines()[0])
    assert first["prompt"] == [{"role": "user", "content": found.easy[0].prompt}]
