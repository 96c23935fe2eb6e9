"""The suites of RL-MIA: read whole, and without what gives the labels away."""

import random

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

from wellworn.benchmark import fetching
from wellworn.benchmark.suites import SUITES, load_suite
from wellworn.errors import BadInput
from wellworn.verifiers import load_verifier

SIZES = {"kk": (100, 50), "sat": (100, 50), "gsm8k": (100, 50), "aime24": (30, 15)} | {
    "aime25": (30, 15)
}
every_suite = pytest.mark.parametrize("name", SUITES)


@pytest.fixture
def published(shared):
    return shared / "data/rl-mia"


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def asked(text, gold, member, index):
    """Return a row that says its label three times, as the published ones do."""
    return {
        "prompt": [{"role": "user", "content": text}],
        "reward_model": {"ground_truth": gold, "style": "rule"},
        "extra_info": {"index": index, "split": "train" if member else "test"},
        "index": index,
        "member": member,
    }


ROWS = [asked(f"What is {i} + {i}?", str(2 * i), i < 20, i) for i in range(10, 30)]


def bits(name, clauses, member):
    """Return a satisfiability problem that only differs from others by its words."""
    problem = f'{{"n_sat": 1, "k": 3, "clause": "{" & ".join("B" * clauses)}"}}'
    row = asked(f"{name}: {problem}", 10, member, 0)
    return row | {"extra_info": {"k_vars": 3, "n_sat": 1, "original_id": 0}}


def test_a_suite_holds_what_is_asked_and_its_answer_and_no_more(tmp_path):
    write(tmp_path / "gsm8k.parquet", ROWS)
    suite = load_suite("gsm8k", tmp_path)
    assert (suite.name, suite.verifier, suite.warnings) == ("gsm8k", "number", ())
    [prompt] = [p for p in suite.prompts if p.shown == "What is 17 + 17?"]
    assert msgspec.to_builtins(prompt) == {
        "messages": ({"role": "user", "content": "What is 17 + 17?"},),
        "text": None,
        "source": "RL-MIA gsm8k",
        "metadata": {},
        "answer": "34",
    }
    assert suite.labels == {p.id: int(p.answer) < 40 for p in suite.prompts}


def test_prompts_say_nothing_of_their_labels(tmp_path):
    """Other labels, splits and indices in another order make the same prompts, byte by byte."""
    first = load_suite("gsm8k", write(tmp_path / "gsm8k.parquet", ROWS).parent)
    others = [
        asked(r["prompt"][0]["content"], r["reward_model"]["ground_truth"], i % 2 == 0, 900 - i)
        for i, r in enumerate(ROWS)
    ]
    random.Random(1).shuffle(others)
    second = load_suite("gsm8k", write(tmp_path / "again/gsm8k.parquet", others).parent)
    assert msgspec.json.encode(first.prompts) == msgspec.json.encode(second.prompts)
    assert first.labels.keys() == second.labels.keys()
    assert first.labels != second.labels
    ids = [prompt.id for prompt in first.prompts]
    assert ids == sorted(ids) == list(first.labels)


def test_a_clone_of_the_repository_is_a_folder_too(tmp_path):
    write(tmp_path / SUITES["gsm8k"].upstream, ROWS)
    assert len(load_suite("gsm8k", tmp_path).prompts) == 20


def test_bits_that_were_stored_as_an_integer_get_their_zeros_back(tmp_path):
    write(tmp_path / "sat.parquet", [bits("a", 2, True), bits("b", 2, False)])
    assert [prompt.answer for prompt in load_suite("sat", tmp_path).prompts] == ["010", "010"]


def test_a_size_that_tells_the_classes_apart_is_said(tmp_path):
    write(
        tmp_path / "sat.parquet",
        [bits(f"m{i}", 2, True) for i in range(9)]
        + [bits(f"o{i}", 3 + i % 2, False) for i in range(9)],
    )
    write(tmp_path / "sat_test.parquet", [bits(f"h{i}", 2, False) for i in range(5)])
    assert load_suite("sat", tmp_path).warnings == (
        "sat: the number of clauses alone tells members (2) from others (3 to 4), at AUC 1.00 "
        "without any model. A detector that feels difficulty gains from it. --repaired "
        "compares problems of one size.",
    )
    repaired = load_suite("sat", tmp_path, repaired=True)
    assert repaired.warnings == ()
    assert [sum(repaired.labels.values()), len(repaired.prompts)] == [9, 14]


def test_long_members_are_noticed_in_any_suite(tmp_path):
    rows = [asked("x" * (50 + i) if i < 10 else "y" * (i + 1), "1", i < 10, i) for i in range(20)]
    [warning] = load_suite("gsm8k", write(tmp_path / "gsm8k.parquet", rows).parent).warnings
    assert warning.startswith("gsm8k: the number of characters alone tells members (50 to 59) from")
    assert "at AUC 1.00" in warning


def error_of(*arguments, **options):
    with pytest.raises(BadInput) as error:
        load_suite(*arguments, **options)
    return str(error.value)


def test_errors_say_the_place_the_fact_and_the_way_out(tmp_path):
    assert error_of("gsm", tmp_path) == (
        "unknown suite 'gsm'. Did you mean 'gsm8k'?\nKnown: aime24, aime25, gsm8k, kk, sat."
    )
    assert error_of("kk", tmp_path) == (
        f"{tmp_path}: there is neither kk.parquet nor benchmarks/KK/RLMIA_kk.parquet.\n"
        f"Give the folder that holds it, or fetch it with --fetch."
    )
    write(tmp_path / "gsm8k.parquet", ROWS)
    assert error_of("gsm8k", tmp_path, repaired=True).startswith("only 'sat' has a repair; ")
    write(tmp_path / "sat.parquet", [bits("a", 2, True)])
    assert "neither sat_test.parquet nor RL_Contaminate/data/sat_mia/test.parquet" in (
        error_of("sat", tmp_path, repaired=True)
    )


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"member": 2}, r"row 1: a row of RL-MIA has a chat in 'prompt' and 0 or 1 in 'member'; "),
        ({"prompt": "text"}, r"this one has 'text' and True\.\nGet the file anew\.$"),
        ({"reward_model": None}, r"no gold answer in 'reward_model\.ground_truth'\.\nGet the"),
        ({"prompt": [{"role": "user"}]}, r"message 1: 'content' is None, which is no text"),
    ],
)
def test_a_file_that_holds_something_else(tmp_path, change, fact):
    write(tmp_path / "gsm8k.parquet", [ROWS[0] | change])
    with pytest.raises(BadInput, match=fact):
        load_suite("gsm8k", tmp_path)


def test_a_prompt_that_stands_there_twice(tmp_path):
    write(tmp_path / "gsm8k.parquet", [ROWS[0], ROWS[1], ROWS[0] | {"member": False}])
    assert error_of("gsm8k", tmp_path) == (
        f"{tmp_path}: 1 prompt of 'gsm8k' stand there twice.\nGet the file anew."
    )


def test_what_the_folder_lacks_is_fetched_once(tmp_path, monkeypatch):
    repository = tmp_path / "repository"
    upstream = repository / fetching.COMMIT / SUITES["gsm8k"].upstream
    write(upstream, ROWS)
    monkeypatch.setattr(fetching, "REPOSITORY", repository.as_uri())
    folder = tmp_path / "new"
    assert len(load_suite("gsm8k", folder, fetch=True).prompts) == 20
    upstream.unlink()
    assert len(load_suite("gsm8k", folder, fetch=True).prompts) == 20
    assert [path.name for path in folder.iterdir()] == ["gsm8k.parquet"]


@every_suite
def test_the_published_suites(published, name):
    suite = load_suite(name, published)
    assert (len(suite.prompts), sum(suite.labels.values())) == SIZES[name]
    assert {prompt.id for prompt in suite.prompts} == suite.labels.keys()
    correct = load_verifier(suite.verifier).correct
    assert all(correct(rf"\boxed{{{p.answer}}}", p) for p in suite.prompts)


@every_suite
def test_the_order_of_the_published_suites_tells_nothing(published, name):
    """The published order of `kk` is members first: an AUC of 1."""
    suite = load_suite(name, published)
    members = [suite.labels[prompt.id] for prompt in suite.prompts]
    auc = roc_auc_score(members, range(len(members)))
    n = len(members) // 2
    assert abs(auc - 0.5) < 1.96 * np.sqrt((2 * n + 1) / (12 * n * n))


@every_suite
def test_shuffled_labels_leave_the_published_prompts_as_they_are(published, tmp_path, name):
    rows = pq.read_table(published / f"{name}.parquet").to_pylist()
    generator = random.Random(7)
    generator.shuffle(rows)
    labels = [row["member"] for row in rows]
    generator.shuffle(labels)
    for i, (row, member) in enumerate(zip(rows, labels, strict=True)):
        row["member"] = member
        hidden = {"index": i, "split": "train" if member else "test", "original_id": i}
        row["extra_info"] = row["extra_info"] | hidden
        row["index"] = i
    write(tmp_path / f"{name}.parquet", rows)
    original, shuffled = load_suite(name, published), load_suite(name, tmp_path)
    assert msgspec.json.encode(original.prompts) == msgspec.json.encode(shuffled.prompts)
    assert original.labels != shuffled.labels


def test_only_the_published_sat_suite_has_a_shortcut_and_its_repair_has_none(published):
    warned = {name for name in SUITES if load_suite(name, published).warnings}
    assert warned == {"sat"}
    [warning] = load_suite("sat", published).warnings
    assert "members (13) from others (20), at AUC 1.00 without any model" in warning
    repaired = load_suite("sat", published, repaired=True)
    assert (len(repaired.prompts), sum(repaired.labels.values())) == (70, 50)
    assert repaired.warnings == ()
    members = {p.id for p in load_suite("sat", published).prompts}
    assert sum(prompt.id in members for prompt in repaired.prompts) == 50
