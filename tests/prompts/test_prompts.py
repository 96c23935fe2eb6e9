"""Prompt sets: which column is the prompt, what it becomes, and what is refused."""

import json

import pytest

from wellworn.errors import BadInput
from wellworn.prompts import Fields, read_prompts
from wellworn.prompts.values import PROMPT_FIELDS
from wellworn.records import Message, Prompt, chat

SKIP = "Mend the row, or leave it out with `--skip-bad-rows` (the report will list it)."


def jsonl(tmp_path, *rows, name="a.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def prompts_of(source, **options):
    return read_prompts(source, Fields(**options)).prompts


def error_of(source, **options):
    with pytest.raises(BadInput) as caught:
        read_prompts(source, Fields(**options))
    return str(caught.value)


CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}]
MESSAGES = (Message("system", "Be brief."), Message("user", "2 + 2?"))


def test_a_text_becomes_a_user_message_with_its_place_and_the_other_fields(tmp_path):
    source = jsonl(tmp_path, {"id": 7, "prompt": "2 + 2?", "answer": ["4"]})
    assert prompts_of(source) == (
        Prompt(
            messages=(Message("user", "2 + 2?"),),
            source=f"{source}:1",
            metadata={"id": 7, "answer": ["4"]},
            answer="4",
        ),
    )


@pytest.mark.parametrize("value", [CHAT, json.dumps(CHAT), " " + json.dumps(CHAT, indent=1)])
def test_a_chat_stays_one_also_as_json_text(tmp_path, value):
    (prompt,) = prompts_of(jsonl(tmp_path, {"prompt": value}))
    assert prompt.messages == MESSAGES


@pytest.mark.parametrize("text", ["[1, 2] is a list?", "[1, 2]", '[{"a": 1}]', "[", '["role"]'])
def test_a_text_that_looks_like_json_is_a_text(tmp_path, text):
    (prompt,) = prompts_of(jsonl(tmp_path, {"prompt": text}))
    assert prompt.messages == (Message("user", text),)


@pytest.mark.parametrize("name", PROMPT_FIELDS)
def test_every_usual_name_is_found_in_any_case(tmp_path, name):
    (prompt,) = prompts_of(jsonl(tmp_path, {"n": 1, name.title(): CHAT}))
    assert prompt.messages == MESSAGES


def test_the_first_usual_name_wins_and_the_note_says_which_would_fit_as_well(tmp_path):
    row = {"text": "t", "query": 3, "question": "q", "prompt": "p"}
    source = jsonl(tmp_path, row)
    prompts, notes = read_prompts(source)
    assert [prompt.shown for prompt in prompts] == ["p"]
    assert notes == (
        f"{source}: the prompts are taken from 'prompt'; 'question' and 'text' would fit as "
        f"well (--prompt-field).",
    )


def test_a_chat_that_ends_with_an_answer_is_not_taken_for_the_prompt(tmp_path):
    talk = [*CHAT, {"role": "assistant", "content": "4"}]
    source = jsonl(tmp_path, {"messages": talk, "prompt": "2 + 2?"})
    assert [prompt.shown for prompt in prompts_of(source)] == ["2 + 2?"]
    assert prompts_of(source, prompt_field="messages")[0].shown == "4"


def test_a_chat_that_ends_with_an_answer_is_refused_in_every_row(tmp_path):
    asks = [{"messages": [{"role": "user", "content": f"q{n}"}]} for n in range(20)]
    source = jsonl(tmp_path, *asks, {"messages": [*CHAT, {"role": "assistant", "content": "4"}]})
    assert error_of(source) == f"{source}:21: the chat in 'messages' ends with an answer.\n{SKIP}"
    assert len(prompts_of(source, skip_bad_rows=True)) == 20


def test_an_instruction_and_its_input_are_not_asked_apart(tmp_path):
    rows = [{"instruction": f"Translate {n}", "input": "Rome" if n else ""} for n in range(3)]
    source = jsonl(tmp_path, *rows)
    assert error_of(source) == (
        f"{source}: both 'instruction' and 'input' hold texts, so the prompt may be both "
        "together.\n"
        "Give `--template '{instruction}\\n{input}'`, or the one to ask with `--prompt-field NAME`."
    )
    both = prompts_of(source, template=r"{instruction}\n{input}")
    assert [prompt.shown for prompt in both] == [
        "Translate 0\n",
        "Translate 1\nRome",
        "Translate 2\nRome",
    ]
    assert prompts_of(source, prompt_field="instruction")[0].shown == "Translate 0"
    alone = jsonl(tmp_path, {"instruction": "i", "input": ""}, {"input": " "}, name="b.jsonl")
    assert "'input' is empty" in error_of(alone)


def test_a_column_can_be_chosen_also_inside_another(tmp_path):
    source = jsonl(tmp_path, {"prompt": "p", "doc": {"q": "inside"}})
    assert prompts_of(source, prompt_field="doc.q")[0].shown == "inside"


def test_raw_sends_the_text_as_it_stands(tmp_path):
    text = json.dumps(CHAT)
    source = jsonl(tmp_path, {"prompt": text}, {"prompt": [{"role": "user", "content": "one"}]})
    assert [prompt.text for prompt in prompts_of(source, raw=True)] == [text, "one"]


def test_a_system_message_goes_before(tmp_path):
    source = jsonl(tmp_path, {"prompt": "2 + 2?"}, {"prompt": CHAT[1:]})
    (prompt,) = prompts_of(source, system="Be brief.")
    assert prompt.messages == MESSAGES


def test_a_template_makes_prompts_and_leaves_the_other_columns(tmp_path):
    source = jsonl(tmp_path, {"q": "a", "n": 1, "m": True}, {"q": "b", "n": 2, "m": True})
    prompts = prompts_of(source, template="{q}{n}")
    assert [prompt.shown for prompt in prompts] == ["a1", "b2"]
    assert prompts[0].metadata == {"m": True}


def test_rows_lie_inside_a_document(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"meta": [{"n": 1}], "data": {"items": [{"problem": "p"}]}}))
    (prompt,) = prompts_of(str(path))
    assert (prompt.shown, prompt.source) == ("p", f"{path}: data.items[0]")
    (prompt,) = prompts_of(str(path), prompt_field="problem")
    assert prompt.shown == "p"
    assert prompts_of(str(path), template="n = {n}")[0].source == f"{path}: meta[0]"


def test_plain_text_is_a_prompt_a_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one\n\ntwo\n")
    assert [prompt.shown for prompt in prompts_of(str(path))] == ["one", "two"]


def test_repeats_are_merged_and_the_first_is_kept(tmp_path):
    rows = [{"prompt": f"p{n % 17}", "n": n} for n in range(1700)]
    source = jsonl(tmp_path, *rows)
    prompts, notes = read_prompts(source)
    assert [prompt.metadata["n"] for prompt in prompts] == list(range(17))
    assert notes == (f"{source}: 1,700 rows hold 17 different prompts; repeats were merged.",)


def test_the_marks_of_a_chat_template_are_noted(tmp_path):
    text = "<|im_start|>user\n2 + 2?<|im_end|>"
    source = jsonl(tmp_path, {"prompt": text}, {"prompt": "plain"})
    assert read_prompts(source).notes == (
        f"{source}: prompts that hold the mark <|im_start|> of a chat template already: 1; as "
        f"messages, they go through a template twice (--raw sends them as they stand).",
    )
    assert read_prompts(source, Fields(raw=True)).notes == ()


def test_bad_rows_are_left_out_and_noted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"prompt": "a"}\nx\n{"prompt": ""}\n{"prompt": 3}\n{"prompt": "b"}\n')
    prompts, notes = read_prompts(str(path), Fields(prompt_field="prompt", skip_bad_rows=True))
    assert [prompt.shown for prompt in prompts] == ["a", "b"]
    assert notes == (
        f"3 bad rows were left out: {path}:2: this is no JSON at column 1: Expecting value; there "
        f"stands 'x'; {path}:3: 'prompt' is empty; {path}:4: 'prompt' is a number; a prompt is a "
        f"text or a list of messages.",
    )


def test_nothing_is_left(tmp_path):
    source = jsonl(tmp_path, {"prompt": " "})
    assert error_of(source, skip_bad_rows=True) == (
        f"{source}: no prompt is left.\n1 bad row was left out: {source}:1: 'prompt' is empty."
    )


@pytest.mark.parametrize(
    ("row", "options", "fact"),
    [
        ({"n": 1}, {}, "'prompt' is missing"),
        ({"prompt": None}, {}, "'prompt' is missing"),
        ({"prompt": " \n"}, {}, "'prompt' is empty"),
        (
            {"prompt": 4},
            {"prompt_field": "prompt"},
            "'prompt' is a number; a prompt is a text or a list of messages",
        ),
        (
            {"prompt": []},
            {"prompt_field": "prompt"},
            "'prompt' is a list of 0; a prompt is a text or a list of messages",
        ),
        (
            {"prompt": CHAT},
            {"system": "x"},
            "the chat has a system message; --system adds a second one",
        ),
        ({"prompt": CHAT}, {"raw": True}, "'prompt' is a chat of 2 turns; --raw takes one text"),
        ({"a": 1}, {"template": "{prompt}"}, "'prompt' is missing, and the template takes it"),
        (
            {"prompt": ["x"]},
            {"template": "{prompt}"},
            "'prompt' is a list of 1; a template takes texts and numbers",
        ),
        ({"prompt": ""}, {"template": "{prompt}"}, "'template' is empty"),
    ],
)
def test_a_bad_row_is_told_by_place_and_fact(tmp_path, row, options, fact):
    source = jsonl(tmp_path, {"prompt": "first"}, row)
    assert error_of(source, **options) == f"{source}:2: {fact}.\n{SKIP}"


def test_a_message_of_another_shape(tmp_path):
    source = jsonl(tmp_path, {"prompt": [{"role": "user", "content": 3}]})
    assert error_of(source) == f"{source}:1: message 1: 'content' is 3, which is no text."


def test_no_usable_column(tmp_path):
    source = jsonl(tmp_path, {"quiz": "q", "n": 1, "prompt": {"a": 1}})
    assert error_of(source) == (
        f"{source}: no column holds a prompt under a usual name.\n"
        f"Fields of the first row: quiz (a text), n (a number), prompt (an object).\n"
        f"Choose one with `--prompt-field NAME`, or several with `--template`."
    )


def test_a_wrong_name_of_a_column(tmp_path):
    source = jsonl(tmp_path, {"quiz": "q", "n": 1})
    assert error_of(source, prompt_field="qiz") == (
        f"{source}: --prompt-field: unknown column 'qiz'. Did you mean 'quiz'?\nKnown: n, quiz."
    )
    assert error_of(source, template="{quizz}?") == (
        f"{source}: --template: unknown column 'quizz'. Did you mean 'quiz'?\nKnown: n, quiz."
    )


def test_options_that_exclude_each_other():
    with pytest.raises(BadInput) as caught:
        Fields(raw=True, system="x")
    assert str(caught.value) == (
        "--raw sends the text as it stands, so --system cannot be put before it.\n"
        "Leave out one of the two."
    )
    with pytest.raises(BadInput) as caught:
        Fields(template="{a}", prompt_field="a")
    assert str(caught.value) == (
        "--template and --prompt-field both say what the prompt is.\nLeave out one of the two."
    )


@pytest.mark.parametrize(
    ("name", "count", "roles"),
    [
        ("prompts/AIME24.parquet", 30, ["user"]),
        ("prompts/MATH-500.parquet", 500, ["user"]),
        ("prompts/gsm8k_test.jsonl.gz", 1319, ["user"]),
        ("prompts/humaneval.jsonl", 164, ["user"]),
        ("prompts/kk_logic_rl_3ppl_test.parquet", 100, ["user"]),
        ("rl-mia/aime24.parquet", 30, ["system", "user"]),
        ("rl-mia/kk.parquet", 100, ["system", "user"]),
        ("rl-mia/sat_train.parquet", 500, ["user"]),
    ],
)
def test_real_prompt_sets(shared, name, count, roles):
    prompts = read_prompts(str(shared / "data" / name)).prompts
    assert len(prompts) == count
    assert [message.role for message in prompts[0].messages] == roles
    json.dumps([prompt.metadata for prompt in prompts], allow_nan=False)


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        ({"answer": "4"}, "4"),
        ({"answer": 4}, "4"),
        ({"answer": ["4"]}, "4"),
        ({"answer": ["4", "5"], "solution": "four"}, "four"),
        ({"reward_model": {"ground_truth": "4"}}, "4"),
        ({"answer": None, "gold": 4.5}, "4.5"),
        ({"answer": True}, None),
        ({"note": "4"}, None),
    ],
)
def test_the_gold_answer_is_found_under_its_usual_names(tmp_path, row, answer):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"question": "2 + 2?", **row}))
    [prompt] = read_prompts(str(path)).prompts
    assert prompt.answer == answer
    assert prompt.id == chat("2 + 2?").id


def test_the_gold_answer_is_in_the_field_that_is_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"question": "2 + 2?", "answer": "no", "key": "4"}))
    [prompt] = read_prompts(str(path), Fields(answer_field="key")).prompts
    assert prompt.answer == "4"
    with pytest.raises(BadInput, match=r"--answer-field: unknown column 'kez'\. Did you"):
        read_prompts(str(path), Fields(answer_field="kez"))
