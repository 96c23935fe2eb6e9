"""Texts that a server reads, in both forms that servers know."""

import math

import pytest

from servers import Reply, chat_reply, serving
from wellworn.backends import Request, Target, open_backend
from wellworn.errors import Refused, TooLong
from wellworn.records import Generation, Prompt, chat

SETTING = Generation(model="m", max_tokens=8, top_logprobs=2).greedy


def request(prompt, text, **fields):
    return Request(prompt=prompt, generation=SETTING, index=0, seed=3, reads=text, **fields)


def read(answer, asked):
    with serving(answer) as server:
        backend = open_backend(Target(model="openai/m", base_url=server.url, retries=0))
        return backend.complete([asked])[0], server.asked


def logprob(token):
    """Return the log-probability that the scripted model gives to a character, as a byte."""
    return -token / 100


def prompt_logprobs(ids):
    entry = lambda i: {  # noqa: E731
        str(i): {"logprob": logprob(i), "rank": 9, "decoded_token": chr(i)},
        "1": {"logprob": -0.01, "rank": 1, "decoded_token": "a"},
        "2": {"logprob": -0.02, "rank": 2, "decoded_token": "b"},
    }
    return [None, *map(entry, ids[1:])]


def vllm(body):
    """Answer as vLLM does: a token a character, a chat as its contents between < and >."""
    if "messages" in body:
        text = "".join(f"<{turn['content']}" for turn in body["messages"])
        text += ">" if body.get("add_generation_prompt", True) else ""
        assert body.get("continue_final_message", False) is not body.get(
            "add_generation_prompt", True
        )
        text = text.replace("<yes", ">yes") if not text.endswith(">") else text
    else:
        text = "^" + body["prompt"]
    ids = list(map(ord, text))
    reply = chat_reply(["x"], prompt_token_ids=ids, usage={"prompt_tokens": len(ids)})
    if "prompt_logprobs" in body:
        assert body["prompt_logprobs"] == 2
        reply["prompt_logprobs"] = prompt_logprobs(ids)
    return reply


def test_a_text_after_a_chat():
    found, asked = read(vllm, request(chat("is it"), "yes"))
    assert found.text == "yes"
    assert found.token_ids == tuple(map(ord, "yes"))
    assert found.signals.logprobs == pytest.approx([logprob(ord(c)) for c in "yes"])
    assert found.signals.tops == ((-0.01, -0.02),) * 3
    assert found.signals.mass == pytest.approx([math.exp(-0.01) + math.exp(-0.02)] * 3)
    assert [body["max_tokens"] for body in asked] == [1]
    assert asked[0]["messages"][-1] == {"role": "assistant", "content": "yes"}


def test_a_text_alone_begins_with_its_second_token_or_after_what_begins_all_texts():
    found, asked = read(vllm, request(Prompt(text=""), "yes"))
    assert found.token_ids == tuple(map(ord, "yes"))
    assert len(asked) == 1


def test_a_text_after_a_text():
    found, _ = read(vllm, request(Prompt(text="is it "), "yes"))
    assert found.token_ids == tuple(map(ord, "yes"))


def test_without_token_ids_the_count_of_the_prompt_tells():
    def answer(body):
        reply = vllm(body)
        del reply["prompt_token_ids"]
        return reply

    found, _ = read(answer, request(Prompt(text="is it "), "yes"))
    assert found.signals.logprobs == pytest.approx([logprob(ord(c)) for c in "yes"])


def echo(body):
    """Answer as servers with `echo` do, which know no prompt_logprobs."""
    if not body.get("echo"):
        return {"choices": [{"text": "x"}], "usage": {"prompt_tokens": 4}}
    text = body["prompt"] + "!"
    tops = [None, *({"a": -0.01, "b": -0.02} for _ in text[1:])]
    logprobs = {
        "tokens": list(text),
        "token_logprobs": [None, *(logprob(ord(c)) for c in text[1:])],
        "top_logprobs": tops,
        "text_offset": list(range(len(text))),
    }
    return {"choices": [{"text": text, "logprobs": logprobs}]}


@pytest.mark.parametrize(("before", "read_there"), [("is it ", "yes"), ("", "es")])
def test_a_text_that_is_echoed(before, read_there):
    found, _ = read(echo, request(Prompt(text=before), "yes"))
    assert found.text == "yes"
    assert found.signals.logprobs == pytest.approx([logprob(ord(c)) for c in read_there])
    assert found.signals.tops == ((-0.01, -0.02),) * len(read_there)


@pytest.mark.parametrize("prompt", [chat("is it"), Prompt(text="is it ")])
def test_a_server_that_cannot_read_says_so(prompt):
    plain = lambda _: {**chat_reply(["x"]), "usage": {"prompt_tokens": 4}}  # noqa: E731
    with pytest.raises(Refused, match="gives no log-probabilities of prompts"):
        read(plain, request(prompt, "yes"))


CONTEXT = [
    "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens",
    "the request exceeds the available context size, try increasing it",
    "This model's context_length_exceeded",
]


@pytest.mark.parametrize("message", CONTEXT)
def test_a_context_that_is_full_is_told_apart(message):
    def answer(_):
        raise Reply(400, message)

    with pytest.raises(TooLong, match="the server answered 400"):
        read(answer, request(chat("is it"), None))


def test_an_answer_that_the_context_cut_off_does_not_stand_where_a_quote_can_be_cut():
    step = {"logprob": -0.5, "top_logprobs": [{"logprob": -0.5}, {"logprob": -1}]}

    def answer(_):
        reply = chat_reply(["xy"])
        reply["choices"][0] |= {"finish_reason": "length", "logprobs": {"content": [step] * 2}}
        return reply

    with pytest.raises(TooLong, match="the context ended before the most new tokens"):
        read(answer, request(chat("is it"), None, quotes=True))
    found, _ = read(answer, request(chat("is it"), None))
    assert found.finish_reason == "length"
