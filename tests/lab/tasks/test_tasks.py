"""What every task promises, over the table."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellworn.errors import BadInput
from wellworn.lab.tasks import LEVELS, TASKS, load_task, pools

TABLE = {name: load_task(name) for name in TASKS}
ITEMS = {(name, level): TABLE[name].generate(4, 40, level) for name in TASKS for level in LEVELS}
every_task = pytest.mark.parametrize("task", TABLE.values(), ids=TABLE)
every_kind = pytest.mark.parametrize("kind", ITEMS, ids="-".join)


def traces(kind, each):
    task, rng = TABLE[kind[0]], Random(9)
    return [[task.trace(item, rng) for _ in range(each)] for item in ITEMS[kind]]


@every_task
def test_the_table_and_the_task_agree(task):
    assert TABLE[task.name] is task
    assert task.summary
    assert task.instruction


@every_kind
def test_the_gold_answer_and_every_trace_earn_the_reward(kind):
    task = TABLE[kind[0]]
    for item, some in zip(ITEMS[kind], traces(kind, 8), strict=True):
        assert [task.reward(item, text) for text in (item.answer, *some)] == [1.0] * 9
        assert task.final(item.answer) is not None


@every_kind
def test_a_trace_without_its_last_line_or_word_earns_nothing(kind):
    task = TABLE[kind[0]]
    for item, [text] in zip(ITEMS[kind], traces(kind, 1), strict=True):
        before, _, last = text.rpartition("\n")
        assert task.reward(item, before) == 0.0
        assert task.reward(item, f"{before}\n{last.rpartition(' ')[0]}") == 0.0
        assert task.reward(item, "") == task.reward(item, item.prompt) == 0.0


@every_kind
def test_most_items_are_solved_on_many_ways(kind):
    different = [len(set(some)) for some in traces(kind, 16)]
    rare = kind == ("arithmetic", "short")  # two numbers joined once leave little to vary
    assert sum(count >= 5 for count in different) >= (0.4 if rare else 0.9) * len(different)


@every_kind
def test_traces_are_short_enough_for_a_small_model(kind):
    longest = max(len(text) for some in traces(kind, 4) for text in some)
    long = kind[1] == "long" or kind[0] == "tries"  # whose traces are long by design
    assert longest <= (1300 if long else 300)
    prompts = [len(item.prompt) for item in ITEMS[kind]]
    assert max(prompts) <= (240 if kind[1] == "long" else 130)


@every_task
def test_easy_prompts_have_the_length_of_standard_ones(task):
    standard, easy = (
        sum(len(item.prompt) for item in ITEMS[task.name, level]) / 40
        for level in ("standard", "easy")
    )
    assert easy == pytest.approx(standard, rel=0.12)


@every_kind
def test_paraphrases_are_the_same_item_in_other_words(kind):
    task, rng = TABLE[kind[0]], Random(6)
    changed = 0
    for item in ITEMS[kind]:
        other = task.paraphrase(item, rng)
        assert task.canonical(other) == task.canonical(item)
        assert task.verify(other, other.answer)
        assert task.verify(other, task.trace(other, rng))
        changed += other.prompt != item.prompt
    assert changed >= 0.7 * len(ITEMS[kind])


@every_kind
def test_items_survive_json(kind):
    task = TABLE[kind[0]]
    for item in ITEMS[kind]:
        assert msgspec.json.decode(msgspec.json.encode(item), type=task.kind) == item


@every_task
def test_a_seed_gives_one_list_and_another_seed_another(task):
    assert task.generate(1, 20) == task.generate(1, 20)
    assert task.generate(1, 20) != task.generate(2, 20)


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("countdown", "2 1 1 10 -> 14"),
        ("tries", "5 8 1 6 -> 18 in 16"),
        (
            "knights",
            "A: not B knave\nB: A knight and A knave\nC: B knight\nD: if C knight then A knight",
        ),
        ("sat", "Eac DEa ACe cea dbc dEa BeA BCe bCA ABc deb dba CBD"),
        (
            "arithmetic",
            "Di has 6 tins of 2 keys, gives 3 friends 3 each, buys 5, buys 6 tins of 4. "
            "How many keys?",
        ),
        ("code", "f(2,3)=2 f(6,5)=8 f(3,0)=0 f(0,5)=0"),
    ],
)
def test_the_first_item_is_the_same_on_any_machine(name, prompt):
    assert load_task(name).generate(0, 1)[0].prompt == prompt


SIZES = {"pretraining": 2000, "a": 300, "b": 300, "easy": 200}


@every_task
def test_pools_of_thousands_share_no_item_under_any_name(task):
    filled = pools(task, 3, SIZES, {"easy": "easy"})
    assert {name: len(pool) for name, pool in filled.items()} == SIZES
    forms = [task.canonical(item) for pool in filled.values() for item in pool]
    assert len(set(forms)) == sum(SIZES.values())
    rng = Random(1)
    prompts = {item.prompt: item for pool in filled.values() for item in pool}
    for item in filled["a"]:
        twin = task.paraphrase(item, rng).prompt
        assert prompts.get(twin, item) == item or twin == item.prompt


@every_task
def test_standard_pools_are_one_draw_cut(task):
    filled = pools(task, 5, {"a": 30, "easy": 10, "b": 20}, {"easy": "easy"})
    assert list(filled) == ["a", "easy", "b"]
    assert filled["a"] + filled["b"] == task.generate(5, 50)


def test_a_pool_without_a_size_is_refused():
    with pytest.raises(BadInput, match="levels names the pool 'c'; sizes has a, b"):
        pools(TABLE["sat"], 1, {"a": 1, "b": 1}, {"c": "easy"})


def test_an_unknown_level_is_refused():
    with pytest.raises(BadInput, match="unknown level 'hard'"):
        TABLE["sat"].generate(1, 1, "hard")
    with pytest.raises(BadInput, match=r"unknown level 'eazy'. Did you mean 'easy'"):
        pools(TABLE["sat"], 1, {"a": 1}, {"a": "eazy"})


def test_an_unknown_task_is_refused():
    with pytest.raises(BadInput, match=r"unknown task 'count'\.[^$]*Known: arithmetic, code"):
        load_task("count")


def test_asking_for_more_items_than_exist_says_how_many_were_found(monkeypatch):
    monkeypatch.setattr("wellworn.lab.tasks.base.PATIENCE", 100)
    with pytest.raises(
        BadInput, match=r"code, level short: only \d+ different .*; 5000 were asked"
    ):
        TABLE["code"].generate(1, 5000, "short")


PIECES = (
    *("=", "A", "b", "so ", "A=knight", "####", "-1", "9" * 30, "ok", "no", "\n", ";", " "),
    *("def f(x,y):", " return ", "return ", "x", "+", "(", ")", "1+2=3", "²", "\u0661"),
)


@every_task
@settings(deadline=None, max_examples=60)
@given(text=st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_text_of_a_model_raises_anything(task, text):
    item = ITEMS[task.name, "standard"][0]
    assert isinstance(task.verify(item, text), bool)
    assert isinstance(task.final(text), str | None)
