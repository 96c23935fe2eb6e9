"""What the flow speaks of: stable ids, views, chats in all spellings, and frozen values."""

import hashlib
import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellworn.errors import BadInput, Unscorable
from wellworn.prompts.chats import as_messages
from wellworn.records import (
    Completion,
    Generation,
    Message,
    Prompt,
    Record,
    chat,
    digest,
)

# Each id is that of `printf '[["user","2 + 2?"]]' | sha256sum | cut -c1-16` and the like:
# run files hold them, so they may never change.
CHAT = "e811b04f06c60130"
TEXT = "5e012347681fa04c"


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        (chat("2 + 2?"), CHAT),
        (Prompt(text="2 + 2?"), TEXT),
        (chat("2 + 2?", system="Be brief."), "fa943ce0995eb7bd"),
        (chat("café 🙂"), "f6bbf57dca055614"),
    ],
)
def test_the_id_of_a_prompt_is_a_known_value(prompt, found):
    assert prompt.id == found


def test_source_and_metadata_do_not_enter_the_id():
    messages = (Message("user", "2 + 2?"),)
    metadata = {"member": 1, "index": 7, "split": "train"}
    assert Prompt(messages=messages, source="a.jsonl:3", metadata=metadata).id == CHAT
    assert Prompt(text="2 + 2?", source="b.jsonl:4", metadata=metadata).id == TEXT


@pytest.mark.parametrize(
    "other",
    [
        Prompt(text="2 + 2?"),
        Prompt(text=""),
        Prompt(text='[["user","2 + 2?"]]'),
        chat("2 + 2? "),
        chat("2 + 2?", system="Be brief."),
        Prompt(messages=(Message("assistant", "2 + 2?"),)),
        Prompt(messages=(Message("user", "2 + 2?"), Message("user", ""))),
    ],
)
def test_what_the_model_is_asked_enters_the_id(other):
    assert other.id != chat("2 + 2?").id


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), min_size=1, unique=True))
def test_different_chats_have_different_ids(turns):
    prompts = [Prompt(messages=(Message(role, content),)) for role, content in turns]
    assert len({prompt.id for prompt in prompts}) == len(prompts)


def test_lone_surrogates_have_an_id():
    assert chat("\ud800").id != chat("\udfff").id
    assert digest({"b": ["\ud800", None, True, 0.5], "a": 1}) == "036fa89e65d949b2"


def test_a_digest_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": {"c": 2, "d": 3}}) == digest({"b": {"d": 3, "c": 2}, "a": 1})
    assert digest(["a", "b"]) != digest(["b", "a"])


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_a_digest_is_the_start_of_a_sha256(value):
    text = json.dumps(value, separators=(",", ":"))
    assert digest(value) == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_prompt_shows_its_last_turn():
    assert chat("2 + 2?", system="Be brief.").shown == "2 + 2?"
    assert Prompt(text="").shown == ""


def test_an_empty_system_message_is_none():
    assert chat("2 + 2?", system="") == chat("2 + 2?")


def test_a_prompt_is_a_chat_or_a_text():
    with pytest.raises(BadInput) as caught:
        Prompt(source="a.jsonl:3")
    assert str(caught.value) == (
        "a.jsonl:3: a prompt is either a chat or a text; this one has 0 messages and text None."
    )
    with pytest.raises(BadInput) as caught:
        Prompt(messages=(Message("user", "a"),), text="b")
    assert str(caught.value) == (
        "a prompt: a prompt is either a chat or a text; this one has 1 messages and text 'b'."
    )


SETTING = Generation(model="openai/m", temperature=0.7, top_p=0.95, max_tokens=1024)


def test_the_id_of_a_setting_is_a_known_value():
    assert SETTING.id == "e6168907385132b1"


@pytest.mark.parametrize(
    "change",
    [
        {"model": "openai/n"},
        {"temperature": 0.8},
        {"temperature": None},
        {"top_p": 1.0},
        {"max_tokens": 2048},
        {"top_logprobs": 5},
        {"seed": 1},
        {"extra": {"min_p": 0.1}},
    ],
)
def test_every_generation_parameter_enters_the_id_of_the_setting(change):
    assert msgspec.structs.replace(SETTING, **change).id != SETTING.id


def test_every_generation_parameter_was_changed_above():
    [mark] = test_every_generation_parameter_enters_the_id_of_the_setting.pytestmark
    changed = {name for change in mark.args[1] for name in change}
    assert changed == set(Generation.__struct_fields__)


PLAIN = Completion(text="4")
REASONED = Completion(text="4", reasoning="2 and 2")
HIDDEN = Completion(text="4", reasoning_hidden=True, index=3)


@pytest.mark.parametrize(
    ("completion", "view", "text"),
    [
        (PLAIN, "full", "4"),
        (PLAIN, "reasoning", ""),
        (PLAIN, "answer", "4"),
        (REASONED, "full", "2 and 2\n4"),
        (REASONED, "reasoning", "2 and 2"),
        (REASONED, "answer", "4"),
        (Completion(text="", reasoning="cut"), "full", "cut\n"),
        (HIDDEN, "answer", "4"),
    ],
)
def test_views(completion, view, text):
    assert completion.view(view) == text


def test_the_full_view_is_the_default():
    assert REASONED.view() == REASONED.view("full")


@pytest.mark.parametrize("view", ["full", "reasoning"])
def test_a_hidden_reasoning_cannot_be_viewed(view):
    with pytest.raises(Unscorable) as caught:
        HIDDEN.view(view)
    assert str(caught.value) == (
        f"the reasoning of completion 3 is hidden, so the {view} view cannot be read; "
        f"`--view answer` compares the answers alone"
    )


def test_a_probe_that_was_not_asked_has_no_completions():
    record = Record(prompt=chat("?"), probes={"sample": (PLAIN, REASONED)})
    assert record.completions("sample") == (PLAIN, REASONED)
    assert record.completions("greedy") == ()


@pytest.mark.parametrize(("value", "field"), [(PLAIN, "text"), (chat("?"), "text")])
def test_values_are_frozen(value, field):
    with pytest.raises(AttributeError):
        setattr(value, field, "other")


def test_a_record_comes_back_from_json_as_it_was():
    record = Record(prompt=chat("?"), probes={"sample": (PLAIN, REASONED, HIDDEN)})
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record) == record


def test_a_chat_in_its_usual_spellings():
    parts = [{"type": "text", "text": "2 "}, {"type": "input_text", "text": "+ 2?"}]
    assert as_messages(
        [
            {"role": "system", "content": ""},
            {"role": "user", "content": "2 + 2?", "name": "A"},
            {"role": "user", "content": parts},
        ],
        "a.jsonl:1",
    ) == (Message("system", ""), Message("user", "2 + 2?"), Message("user", "2 + 2?"))


PICTURE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("hello", "a.jsonl:1: message 2 has no 'role'; it is 'hello'."),
        ({"content": "a"}, "a.jsonl:1: message 2 has no 'role'; it is {'content': 'a'}."),
        ({"role": 1}, "a.jsonl:1: message 2 has no 'role'; it is {'role': 1}."),
        ({"role": "user"}, "a.jsonl:1: message 2: 'content' is None, which is no text."),
        (
            {"role": "user", "content": 4},
            "a.jsonl:1: message 2: 'content' is 4, which is no text.",
        ),
        (
            {"role": "user", "content": [{"text": "a"}, PICTURE]},
            "a.jsonl:1: message 2 has a part that is not text: {'type': 'image_url', "
            "'image_url': {'url': 'https://example.org/a.png'}}. Only text is audited.",
        ),
    ],
)
def test_a_message_of_another_shape_is_shown_with_its_place(item, message):
    with pytest.raises(BadInput) as caught:
        as_messages([{"role": "user", "content": "a"}, item], "a.jsonl:1")
    assert str(caught.value) == message
