"""What must not be mixed up: ids that begin anew, requests of two batches, examples and answers."""

import json
from types import SimpleNamespace

import pytest

from foreign_logs import LOGS, assistant, document, lines, parquet, reply, response, user
from sample_logs import error_of, jsonl
from wellworn.errors import BadInput
from wellworn.importing import import_run
from wellworn.readers import Layout, read_completions
from wellworn.readers.vllm import records_of
from wellworn.store import Store


def read(path, **options):
    """Return the prompts of a file with the texts of their completions, in its order."""
    found = {}
    for prompt, completions in read_completions([path], **options):
        found.setdefault(prompt.question, []).extend(c.text for c in completions)
    return found


def lm_eval(prompt, texts, kind="none"):
    row = json.loads(LOGS["lm-eval"].data.splitlines()[0])
    settings = {"do_sample": True, "temperature": 0.8}
    return row | {
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": settings}},
        "resps": [texts],
        "filter": kind,
    }


def gym(prompt, text, rollout):
    return {
        "_ng_task_index": 0,
        "_ng_rollout_index": rollout,
        "responses_create_params": {"input": prompt},
        "response": response(text),
    }


def matharena(prompt, text, number):
    return {
        "problem_idx": "1",
        "model_name": "m",
        "idx_answer": number,
        "all_messages": json.dumps(user(prompt)),
        "answer": text,
    }


def every_eval_ever(prompt, text, number):
    return {
        "schema_version": "0.3.0",
        "model_id": "m",
        "evaluation_name": prompt,
        "sample_id": 0,
        "interaction_type": "single_turn",
        "input": {"raw": prompt, "reference": "4"},
        "output": {"raw": text},
    }


def justrl(prompt, text, seed):
    return {"example_id": 0, "prompt": prompt, "answer": "4", "seed": seed, "response": text}


@pytest.mark.parametrize("row", [gym, matharena, every_eval_ever, justrl])
def test_items_of_two_tasks_may_have_one_number(tmp_path, row):
    path = jsonl(tmp_path, row("A?", "a", 0), row("A?", "b", 1), row("B?", "c", 0))
    assert read(path) == {"A?": ["a", "b"], "B?": ["c"]}
    assert not read_completions([path]).notes


def test_documents_of_two_tasks_of_lm_eval_may_have_one_number(tmp_path):
    rows = [lm_eval("A?", ["a", "b"], "strict"), lm_eval("A?", ["a", "b"], "flexible")]
    path = jsonl(tmp_path, *rows, lm_eval("B?", ["c", "d"], "flexible"))
    assert read(path) == {"A?": ["a", "b"], "B?": ["c", "d"]}


def test_lm_eval_writes_none_for_an_answer_that_came_to_nothing(tmp_path):
    path = jsonl(tmp_path, lm_eval("A?", ["None", "a"]))
    reading = read_completions([path])
    assert [[c.text for c in completions] for _, completions in reading] == [["a"]]
    assert "(null, or failed): 1" in reading.notes[0]


def test_answers_of_true_and_false_are_no_likelihoods(tmp_path):
    assert read(jsonl(tmp_path, lm_eval("A?", ["True", "False"]))) == {"A?": ["True", "False"]}


def batch(folder, name, ids, prompts, model="m"):
    """Write the requests and the output of a batch; return where the output lies."""
    asked = [
        {"custom_id": i, "body": {"model": model, "messages": user(p), "n": 2}}
        for i, p in zip(ids, prompts, strict=True)
    ]
    answers = [
        {"custom_id": i, "response": {"body": reply(f"{p} one", f"{p} two")}}
        for i, p in zip(ids, prompts, strict=True)
    ]
    (folder / f"{name}_in.jsonl").write_bytes(lines(*asked))
    (folder / f"{name}_out.jsonl").write_bytes(lines(*answers))
    return folder / f"{name}_out.jsonl"


def test_a_batch_finds_its_requests_among_several_by_their_ids(tmp_path):
    batch(tmp_path, "a", ["r1", "r2"], ["A", "B"])
    path = batch(tmp_path, "b", ["r3", "r4"], ["C", "D"])
    assert read(path) == {"C": ["C one", "C two"], "D": ["D one", "D two"]}


def test_two_batches_with_the_same_ids_are_not_guessed_at(tmp_path):
    batch(tmp_path, "a", ["r1"], ["A"])
    path = batch(tmp_path, "b", ["r1"], ["B"])
    assert (
        f"the custom_id 'r1' is one request in {tmp_path}/a_in.jsonl, and another in "
        f"{tmp_path}/b_in.jsonl.\nName the file"
    ) in error_of(path)
    layout = Layout(requests=tmp_path / "b_in.jsonl")
    assert read(path, layout=layout) == {"B": ["B one", "B two"]}


def test_one_prompt_asked_of_two_models_is_one_request(tmp_path):
    batch(tmp_path, "a", ["r1"], ["A"], model="base")
    assert read(batch(tmp_path, "b", ["r1"], ["A"], model="tuned")) == {"A": ["A one", "A two"]}


@pytest.mark.parametrize("failed", [0, 1])
def test_a_failed_request_says_nothing_of_the_model(tmp_path, failed):
    path = batch(tmp_path, "a", ["r1", "r2"], ["A", "B"], model="alias")
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    rows[failed] |= {"response": None, "error": {"code": 500}}
    path.write_bytes(lines(*rows))
    reading = read_completions([path])
    assert sum(len(completions) for _, completions in reading) == 2
    assert reading.generation.model == "m"


def test_a_reply_at_the_end_of_its_request_is_no_part_of_the_prompt(tmp_path):
    rows = [{"messages": [*user("Q?"), assistant(t)], **reply(t)} for t in ("It is 4", "Four!")]
    assert read(jsonl(tmp_path, *rows)) == {"Q?": ["It is 4", "Four!"]}


def test_examples_in_an_input_are_no_answers(tmp_path):
    turns = [*user("Q1?"), assistant("gold"), *user("Q2?"), assistant("a"), assistant("b")]
    row = every_eval_ever("Q2?", None, 0) | {"output": None, "messages": turns}
    ((prompt, (completion,)),) = read_completions([jsonl(tmp_path, row)])
    assert [turn.content for turn in prompt.messages] == ["Q1?", "gold", "Q2?"]
    assert completion.text == "a\nb"


def test_a_task_of_choices_has_no_texts(tmp_path):
    path = tmp_path / "details_x.parquet"
    path.write_bytes(parquet({"doc": {"query": "Q?"}, "model_response": {"text": []}}))
    assert "its first rows hold no texts, as those of tasks that only compare" in error_of(path)


def test_the_model_is_named_after_the_last_folder_of_that_name(tmp_path):
    path = tmp_path / "predictions/old/predictions/m/sums.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(document({"0": {"origin_prompt": "p", "prediction": ["x", "y"]}}))
    assert read_completions([path]).generation.model == "m"


def test_a_token_that_is_none_of_the_largest_is_not_counted_among_them(tmp_path):
    def step(*held):
        return {str(token): {"logprob": number, "rank": rank} for token, number, rank in held}

    largest = step((1, -0.5, 1), (2, -1.0, 2))
    added = step((3, -9.0, 40), (1, -0.25, 1), (2, -2.0, 2))
    outputs = [
        {"text": "ab", "token_ids": [1, 3], "logprobs": [largest, added]},
        {"text": "c", "token_ids": [3], "logprobs": [step((3, -9.0, 40))]},
    ]
    path = jsonl(tmp_path, {"request_id": "1", "prompt": "p", "outputs": outputs})
    ((_, (one, two)),) = read_completions([path])
    assert (one.signals.top_k, one.signals.logprobs) == (2, (-0.5, -9.0))
    assert (two.signals.top_k, two.signals.logprobs) == (0, (-9.0,))


def test_an_object_of_vllm_without_its_prompt_is_refused():
    with pytest.raises(BadInput, match="no text of its prompt"):
        records_of([SimpleNamespace(prompt=None, outputs=[])], model="m")


def test_two_files_of_one_seed_with_other_answers_are_of_two_models(tmp_path):
    paths = [tmp_path / name / "output-rs0.jsonl" for name in ("base", "tuned")]
    for path in paths:
        path.parent.mkdir()
        rows = ({"problem": q, "generation": f"{path.parent.name} of {q}"} for q in "AB")
        path.write_bytes(lines(*(row | {"num_generated_tokens": 3} for row in rows)))
    with (
        Store(tmp_path / "run", create=True) as store,
        pytest.raises(BadInput, match="of seed 0, as are others of the same prompts"),
    ):
        import_run(store, paths)
    with Store(tmp_path / "all", create=True) as store:
        assert import_run(store, paths, repeats="count").completions == 4


@pytest.mark.parametrize(
    ("name", "values", "texts"),
    [
        ("completions", ['["a", "b"]', '["c"]'], {"A": ["a", "b"], "B": ["c"]}),
        ("completion", ['["a", "b"]', '["c"]'], {"A": ['["a", "b"]'], "B": ['["c"]']}),
        ("completions", ["[see] below", "[x]"], {"A": ["[see] below"], "B": ["[x]"]}),
    ],
)
def test_a_text_that_is_a_list_holds_several_if_its_name_says_so(tmp_path, name, values, texts):
    rows = ({"prompt": p, name: v} for p, v in zip("AB", values, strict=True))
    assert read(jsonl(tmp_path, *rows)) == texts


def test_a_list_in_each_row_of_a_prompt_is_one_answer(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('prompt,completion\nA,"[""a"", ""b""]"\nA,"[""c""]"\n')
    assert read(path) == {"A": ['["a", "b"]', '["c"]']}


@pytest.mark.parametrize("cell", ["['a', 'b']", "['a'\n 'b']"])
def test_lists_as_python_shows_them_are_refused(tmp_path, cell):
    path = tmp_path / "a.csv"
    path.write_text(f'prompt,completions\nA,"{cell}"\n')
    assert "'completions' holds lists as Python shows them" in error_of(path)


def test_results_of_another_shape_say_nothing_of_the_parameters(tmp_path):
    path = jsonl(tmp_path, every_eval_ever("A?", "a", 0), name="u_samples.jsonl")
    (tmp_path / "u.json").write_text('{"evaluation_results": 1.5}')
    assert read(path) == {"A?": ["a"]}
