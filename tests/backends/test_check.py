"""What two tiny requests tell about a server."""

import itertools

import pytest

from servers import Reply, chat_reply, good, serving
from wellworn.backends import Target, open_backend
from wellworn.errors import BackendError


def check(answer, **more):
    with serving(answer) as server:
        target = Target(model="openai/m", base_url=server.url, retries=0, **more)
        backend = open_backend(target)
        found = {capability.name: capability for capability in backend.check()}
    return backend, server, found


def test_a_server_that_can_do_everything():
    def answer(body):
        reply = good(body)
        step = {"token": "a", "id": 1, "logprob": -0.5, "top_logprobs": [{"logprob": -0.5}] * 20}
        for choice in reply["choices"]:
            choice["logprobs"] = {"content": [step]}
            choice["message"]["reasoning"] = "hm"
        if "prompt_logprobs" in body:
            reply["prompt_logprobs"] = [None, {"1": {"logprob": -1.0}}]
        return reply

    backend, server, found = check(answer)
    assert len(server.asked) == 2
    assert {name: capability.able for name, capability in found.items()} == {
        "answers": True,
        "n": True,
        "distinct samples": True,
        "log-probabilities": True,
        "top log-probabilities": True,
        "whole distributions": False,
        "prompt log-probabilities": True,
        "reasoning": True,
        "seeds": True,
        "token ids": True,
    }
    assert found["top log-probabilities"].detail == "20 of each step"
    assert backend.notes == []
    assert backend.batch == 8


def test_a_server_without_n():
    backend, _, found = check(lambda body: chat_reply([f"answer {body['seed']}"]))
    assert found["n"].able is False
    assert found["n"].detail == "it returned 1 of 2 choices; each is asked for alone"
    assert found["distinct samples"].able is None
    assert backend.batch == 1


def test_a_server_that_repeats_one_text():
    def answer(body):
        return chat_reply([f"answer {body['seed']}"] * body.get("n", 1))

    backend, server, found = check(answer)
    assert len(server.asked) == 3
    assert found["distinct samples"].able is False
    assert found["distinct samples"].detail == (
        "one text is repeated for all n; each is asked for alone"
    )
    assert backend.batch == 1
    assert "it repeats one text for all n choices" in backend.notes[0]


def test_a_server_that_does_not_sample():
    backend, _, found = check(lambda body: chat_reply(["always this"] * body.get("n", 1)))
    assert found["distinct samples"].able is False
    assert "is sampling off?" in found["distinct samples"].detail
    assert backend.notes == [
        "openai/m: equal texts at temperature 1, whatever the seed: is sampling off?"
    ]
    assert backend.batch == 8


def test_a_server_that_answers_from_a_cache():
    def answer(body):
        if "seed" in body:
            raise Reply(400, "seed is not supported")
        return chat_reply(["one", "two"])

    backend, _, found = check(answer)
    assert found["distinct samples"].able is False
    assert backend.notes[-1] == "openai/m: an equal request brought equal texts: is there a cache?"


def test_raw_texts_are_checked_where_they_are_asked():
    with serving(lambda body: {"choices": [{"text": f"{body['seed']}"}]}) as server:
        backend = open_backend(Target(model="openai/m", base_url=server.url, retries=0))
        backend.check(raw=True)
    assert {asked["path"] for asked in server.asked} == {"/v1/completions"}


def test_a_server_that_ignores_seeds():
    count = itertools.count()
    _, _, found = check(lambda body: chat_reply([f"answer {next(count)}" for _ in range(2)]))
    assert found["seeds"].able is False


def test_a_server_that_refuses_log_probabilities_by_name():
    def answer(body):
        if "top_logprobs" in body:
            raise Reply(400, "top_logprobs is not supported")
        return good(body)

    backend, _, found = check(answer)
    assert found["log-probabilities"].able is False
    assert found["top log-probabilities"].able is False
    assert backend.takes("seed")


def test_a_server_that_refuses_without_saying_why():
    def answer(body):
        if "min_p" in body or "prompt_logprobs" in body:
            raise Reply(400, "bad request")
        return good(body)

    backend, _, found = check(answer)
    assert found["answers"].able
    assert not backend.takes("min_p")
    assert backend.takes("seed")


def test_hidden_reasoning():
    usage = {"completion_tokens_details": {"reasoning_tokens": 5}}
    _, _, found = check(lambda body: chat_reply(["a", "b"], usage=usage))
    assert found["reasoning"].able is False
    assert found["reasoning"].detail == "the model reasons, but hides it"


def test_a_server_that_refuses_everything():
    def answer(_):
        raise Reply(400, "no")

    with pytest.raises(BackendError, match="the server answered 400: no"):
        check(answer)


def test_a_wrong_key_is_said_at_once():
    def answer(_):
        raise Reply(401, "Incorrect API key provided")

    with serving(answer) as server:
        backend = open_backend(Target(model="openai/m", base_url=server.url))
        with pytest.raises(BackendError, match="answered 401: Incorrect API key provided"):
            backend.check()
    assert len(server.asked) == 1
