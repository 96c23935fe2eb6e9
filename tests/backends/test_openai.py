"""The faults of real servers, over a real socket."""

import math

import pytest

from servers import Reply, chat_reply, good, serving
from wellworn.backends import Request, Target, open_backend
from wellworn.errors import BackendError, BadInput, Refused, Unreachable
from wellworn.records import Generation, Prompt, chat

PROMPT = chat("What is 2 + 2?", system="Be brief.")


def requests(count, prompt=PROMPT, **parameters):
    settings = {"temperature": 0.7, "top_p": 0.95, "max_tokens": 64, **parameters}
    generation = Generation(model="openai/m", **settings)
    return [
        Request(prompt=prompt, generation=generation, index=i, seed=100 + i) for i in range(count)
    ]


def connect(server, **more):
    return open_backend(Target(model="openai/m", base_url=server.url, **{"retries": 0, **more}))


def test_all_sampling_parameters_are_sent():
    with serving(good) as server:
        found = connect(server).complete(requests(2))
    assert [c.text for c in found] == ["answer 100-0", "answer 100-1"]
    assert [c.index for c in found] == [0, 1]
    assert [c.seed for c in found] == [100, 100]
    [asked] = server.asked
    assert asked == {
        "path": "/v1/chat/completions",
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is 2 + 2?"},
        ],
        "n": 2,
        "temperature": 0.7,
        "top_p": 0.95,
        "max_tokens": 64,
        "seed": 100,
        "top_k": -1,
        "min_p": 0.0,
        "repetition_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "return_token_ids": True,
    }


def test_a_raw_text_goes_to_completions():
    def answer(body):
        assert body["prompt"] == "Once upon"
        logprobs = {
            "tokens": [" a", " time"],
            "token_logprobs": [-0.5, -0.25],
            "top_logprobs": [{" a": -0.5, " b": -1.5}, {" time": -0.25}],
        }
        return {"choices": [{"index": 0, "text": " a time", "logprobs": logprobs}]}

    with serving(answer) as server:
        [found] = connect(server).complete(requests(1, Prompt(text="Once upon"), top_logprobs=2))
    assert server.asked[0]["path"] == "/v1/completions"
    assert server.asked[0]["logprobs"] == 2
    assert found.text == " a time"
    assert found.finish_reason is None
    assert found.signals.logprobs == (-0.5, -0.25)
    p, q = math.exp(-0.5), math.exp(-1.5)
    assert found.signals.entropy[0] == pytest.approx(0.5 * p + 1.5 * q)
    assert found.signals.mass[0] == pytest.approx(p + q)
    assert found.signals.second_moment[0] == pytest.approx(0.25 * p + 2.25 * q)


def test_extra_fields_of_the_user_win():
    with serving(good) as server:
        connect(server).complete(requests(1, extra={"top_k": 5, "stop": ["."]}))
    assert server.asked[0]["top_k"] == 5
    assert server.asked[0]["stop"] == ["."]


def test_a_server_that_drops_n_is_asked_singly():
    with serving(lambda body: chat_reply([f"answer {body['seed']}"])) as server:
        backend = connect(server)
        found = backend.complete(requests(3))
        backend.complete(requests(2))
    assert [c.text for c in found] == ["answer 100", "answer 101", "answer 102"]
    assert [c.seed for c in found] == [100, 101, 102]
    assert [asked.get("n", 1) for asked in server.asked] == [3, 1, 1, 1, 1]
    assert len(backend.notes) == 1
    assert "it returned 1 of 3 choices; completions were asked for one by one" in backend.notes[0]


def test_a_server_with_a_limit_on_n_is_asked_for_fewer():
    def answer(body):
        if body.get("n", 1) > 2:
            raise Reply(400, "Field 'n': Value must be between 1 <= value <= 2")
        return good(body)

    with serving(answer) as server:
        backend = connect(server)
        found = backend.complete(requests(8))
        backend.complete(requests(2))
    assert len(found) == 8
    assert [c.index for c in found] == list(range(8))
    assert [asked.get("n", 1) for asked in server.asked] == [8, 4, 2, 2, 2, 2, 2]
    assert backend.notes == [f"openai/m at {server.url}/: the server takes n = 2 at most."]


def refusing(*fields):
    def answer(body):
        for field in fields:
            if field in body:
                raise Reply(400, f"Unrecognized request argument supplied: {field}")
        return good(body)

    return answer


def test_refused_fields_are_left_out_and_noted_once_they_are_found_by_the_check():
    with serving(refusing("top_k", "min_p", "return_token_ids")) as server:
        backend = connect(server)
        backend.check()
        asked = len(server.asked)
        backend.complete(requests(1))
        backend.complete(requests(1))
    assert len(server.asked) == asked + 2
    assert "top_k" not in server.asked[-1]
    assert server.asked[-1]["repetition_penalty"] == 1.0
    assert backend.left_out == ["min_p", "top_k"]
    assert [note.partition("the server ")[2] for note in backend.notes] == [
        "refuses 'top_k'; it was left out.",
        "refuses 'min_p'; it was left out.",
    ]


def test_one_odd_prompt_changes_no_other_request():
    def answer(body):
        if "odd" in body["messages"][-1]["content"]:
            raise Reply(400, f"bad request: {body}")
        return good(body)

    with serving(answer) as server:
        backend = connect(server)
        backend.complete(requests(2))
        with pytest.raises(Refused, match="bad request"):
            backend.complete(requests(2, chat("an odd one")))
        backend.complete(requests(2))
    assert server.asked[-1] == server.asked[0]
    assert backend.notes == []


def test_reasoning_models_of_openai_take_another_budget():
    def answer(body):
        if "max_tokens" in body:
            raise Reply(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
            )
        return good(body)

    with serving(answer) as server:
        backend = connect(server)
        backend.check()
        backend.complete(requests(1))
    assert server.asked[-1]["max_completion_tokens"] == 64


@pytest.mark.parametrize(
    ("choice", "fact"),
    [
        ({"message": {"content": "Let"}, "finish_reason": "error"}, "the server failed on the way"),
        ({"message": None, "finish_reason": "stop"}, "a choice of the reply has no message"),
        (None, "a choice of the reply is None, and no object"),
        ({"message": {"content": ""}, "error": {"code": 502}}, "the server failed on the way"),
    ],
)
def test_a_choice_that_failed_is_no_completion(choice, fact):
    with (
        serving(lambda _: {"choices": [choice]}) as server,
        pytest.raises(BackendError, match=fact),
    ):
        connect(server).complete(requests(1))


def test_content_in_parts_is_joined():
    parts = [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]
    with serving(lambda _: chat_reply([{"content": parts}])) as server:
        [found] = connect(server).complete(requests(1))
    assert found.text == "42"


def test_a_context_that_is_too_long_is_refused_without_losing_n():
    def answer(body):
        if len(body["messages"][-1]["content"]) > 100:
            raise Reply(400, "'max_tokens' or 'max_completion_tokens' is too large: context is 99")
        return good(body)

    with serving(answer) as server:
        backend = connect(server)
        with pytest.raises(Refused, match=r"answered 400: 'max_tokens' or .* is too large"):
            backend.complete(requests(4, chat("long " * 50)))
        assert len(backend.complete(requests(4))) == 4
        assert server.asked[-1]["n"] == 4


@pytest.mark.parametrize(
    ("message", "reasoning", "text", "hidden"),
    [
        ({"content": "4", "reasoning": "2 and 2"}, "2 and 2", "4", False),
        ({"content": "4", "reasoning_content": "2 and 2"}, "2 and 2", "4", False),
        ({"content": "<think>2 and 2</think>\n\n4"}, "2 and 2", "4", False),
        ({"content": "2 and 2</think>4"}, "2 and 2", "4", False),
        ({"content": None, "reasoning": "2 and"}, "2 and", "", False),
        ({"content": "4"}, None, "4", False),
        ({"content": None, "refusal": "I cannot."}, None, "I cannot.", False),
        (
            {"content": "4", "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
            None,
            "4",
            True,
        ),
        (
            {
                "content": "4",
                "reasoning": "I added.",
                "reasoning_details": [{"type": "reasoning.summary", "summary": "I added."}],
            },
            "I added.",
            "4",
            True,
        ),
    ],
)
def test_where_the_reasoning_lies(message, reasoning, text, hidden):
    with serving(lambda _: chat_reply([{"role": "assistant", **message}])) as server:
        [found] = connect(server).complete(requests(1))
    assert (found.reasoning, found.text, found.reasoning_hidden) == (reasoning, text, hidden)


def test_reasoning_that_is_only_counted_is_hidden():
    usage = {"completion_tokens_details": {"reasoning_tokens": 12}}
    with serving(lambda _: chat_reply(["4"], usage=usage)) as server:
        [found] = connect(server).complete(requests(1))
    assert found.reasoning_hidden


def test_log_probabilities_and_token_ids_token_by_token():
    def answer(body):
        assert body["logprobs"] is True
        assert body["top_logprobs"] == 2
        steps = [
            {
                "token": "x",
                "id": 7,
                "logprob": -3.0,
                "top_logprobs": [{"logprob": p} for p in (-0.5, -3.0, -1.0)],
            },
            {"token": "y", "id": 8, "logprob": 0.0, "top_logprobs": [{"logprob": 0.0}, _ZERO]},
        ]
        reply = chat_reply(["xy"])
        reply["choices"][0]["logprobs"] = {"content": steps}
        return reply

    with serving(answer) as server:
        [found] = connect(server).complete(requests(1, top_logprobs=2))
    assert found.token_ids == (7, 8)
    assert found.signals.top_k == 2
    assert found.signals.logprobs == (-3.0, 0.0)
    assert found.signals.mass == pytest.approx((math.exp(-0.5) + math.exp(-1), 1.0))
    assert found.signals.entropy == pytest.approx((0.5 * math.exp(-0.5) + math.exp(-1), 0.0))


_ZERO = {"logprob": float("-inf")}


def test_token_ids_of_vllm():
    reply = chat_reply(["xy"])
    reply["choices"][0]["token_ids"] = [3, 4]
    with serving(lambda _: reply) as server:
        [found] = connect(server).complete(requests(1))
    assert found.token_ids == (3, 4)
    assert found.signals is None


@pytest.mark.parametrize("fault", [429, 500, 503, None])
def test_passing_faults_are_retried(fault):
    faults = [fault, fault]

    def answer(body):
        if faults:
            raise Reply(faults.pop(), "busy", {"Retry-After-Ms": "1"})
        return good(body)

    with serving(answer) as server:
        [found] = connect(server, retries=3).complete(requests(1))
    assert found.text == "answer 100-0"
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_lasting_faults_are_not_retried(status):
    def answer(_):
        raise Reply(status, "the model `m` does not exist")

    with serving(answer) as server:
        expected = f"openai/m at {server.url}/: the server answered {status}: the model `m` does"
        with pytest.raises(BackendError, match=expected):
            connect(server, retries=3).complete(requests(1))
    assert len(server.asked) == 1


def test_a_server_that_is_not_there():
    with serving(good) as server:
        backend = connect(server)
    with pytest.raises(Unreachable) as caught:
        backend.complete(requests(1))
    assert f"openai/m at {server.url}/: no answer (" in str(caught.value)
    assert "Is the server running, and is --base-url its address" in str(caught.value)


def test_a_reply_without_choices():
    with (
        serving(lambda _: {"choices": []}) as server,
        pytest.raises(BackendError, match="the reply has no choices"),
    ):
        connect(server).complete(requests(1))


def test_a_reply_that_is_no_completion():
    with (
        serving(lambda _: ["hello"]) as server,
        pytest.raises(BackendError, match="the reply is no JSON object"),
    ):
        connect(server).complete(requests(1))


def test_openai_itself_needs_a_key():
    with pytest.raises(BackendError, match="no --base-url is given, so OpenAI itself is meant"):
        open_backend(Target(model="openai/gpt"))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("gpt", "the model is given as 'gpt', without a provider"),
        ("openai/", "the model is given as 'openai/', without a provider"),
        ("opnai/x", "unknown provider 'opnai'. Did you mean 'openai'?"),
    ],
)
def test_names_of_models(model, message):
    with pytest.raises(BadInput) as caught:
        open_backend(Target(model=model))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("finish", "last", "kept"),
    [
        ("stop", {"token": "", "id": 9}, 2),
        ("stop", {"token": "<|im_end|>", "id": 9}, 2),
        ("stop", {"token": "y", "id": 8}, 3),
        ("length", {"token": "", "id": 9}, 3),
    ],
)
def test_the_token_that_ended_an_answer_is_none_of_its_own(finish, last, kept):
    steps = [{"token": "x", "id": 7}, {"token": "x", "id": 7}, last]
    steps = [{**step, "logprob": -1.0, "top_logprobs": [{"logprob": -1.0}]} for step in steps]
    reply = chat_reply(["xxy" if kept == 3 else "xx"])
    reply["choices"][0] |= {"logprobs": {"content": steps}, "finish_reason": finish}
    with serving(lambda _: reply) as server:
        [found] = connect(server).complete(requests(1, top_logprobs=1))
    assert len(found.token_ids) == len(found.signals.logprobs) == kept
