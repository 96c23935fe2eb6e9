"""A small log of every foreign format, as its tool would write it, and what it says.

Each holds the same two prompts with two samples each; what a format cannot hold is left out.
"""

import io
import json
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

P, Q = "What is 2 + 2? Think first.", "Name a colour, and say why."
TEXTS = {P: ("Voilà, two and two are four.", "It is 4."), Q: ("Blue, as the sky.", "Red")}
PAIRS = [(prompt, text) for prompt, texts in TEXTS.items() for text in texts]


class Log(NamedTuple):
    """A log and what belongs to it."""

    name: str
    """Path of the file that is read, inside a folder."""
    data: bytes
    beside: dict[str, bytes] = {}  # noqa: RUF012
    chat: bool = False
    """Its prompts are chats of one user's message."""


def lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def document(value):
    return json.dumps(value).encode()


def parquet(*rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


def user(text):
    return [{"role": "user", "content": text}]


def assistant(text):
    return {"role": "assistant", "content": text}


def reply(*texts):
    choices = [
        {"index": n, "message": assistant(text), "finish_reason": "stop"}
        for n, text in enumerate(texts)
    ]
    return {"object": "chat.completion", "model": "m", "choices": choices}


def response(text):
    said = {"type": "message", "content": [{"type": "output_text", "text": text}]}
    return {"object": "response", "model": "m", "status": "completed", "output": [said]}


def lm_eval(chat=False):
    settings = {"until": ["</s>"], "do_sample": True, "temperature": 0.8, "max_gen_toks": 64}
    rows = [
        {
            "doc_id": n,
            "doc": {"question": prompt, "n": n},
            "target": "4",
            "arguments": {
                "gen_args_0": {
                    "arg_0": [json.dumps(user(prompt))] if chat else prompt,
                    "arg_1": settings,
                }
            },
            "resps": [list(TEXTS[prompt])],
            "filtered_resps": [TEXTS[prompt][0]],
            "filter": kind,
            "metrics": ["exact_match"],
            "doc_hash": "a",
            "prompt_hash": "b",
            "target_hash": "c",
            "exact_match": 1.0,
        }
        for kind in ("strict-match", "flexible-extract")
        for n, prompt in enumerate(TEXTS)
    ]
    date = "2026-01-21T03-44-18.458309"
    results = {
        "results": {},
        "configs": {},
        "config": {"model": "local-completions", "model_args": {"model": "org/m"}},
        "model_name": "org/m",
    }
    return Log(
        f"org__m/samples_sums_{date}.jsonl",
        lines(*rows),
        {f"org__m/results_{date}.json": document(results)},
        chat=chat,
    )


def lighteval(doc="doc", response="model_response"):
    rows = [
        {
            doc: {
                "id": str(n),
                "query": prompt,
                "task_name": "sums",
                "choices": ["4"],
                "gold_index": [0],
            },
            response: {"input": prompt, "text": list(TEXTS[prompt]), "reasonings": [None, None]},
            "metric": {"pass@1": 1.0},
        }
        for n, prompt in enumerate(TEXTS)
    ]
    return Log("details/org/m/2026-01-01/details_sums_2026-01-01.parquet", parquet(*rows))


def batch(envelope=True):
    asked = [
        {
            "custom_id": f"r{n}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "m", "messages": user(prompt), "n": 2, "temperature": 0.7},
        }
        for n, prompt in enumerate(TEXTS)
    ]
    answers = []
    for n, prompt in reversed(list(enumerate(TEXTS))):
        body = reply(*TEXTS[prompt])
        held = {"status_code": 200, "request_id": "x", "body": body} if envelope else body
        answers.append({"id": f"b{n}", "custom_id": f"r{n}", "response": held, "error": None})
    return Log("out.jsonl", lines(*answers), {"in.jsonl": lines(*asked)}, chat=True)


def pairs():
    rows = [
        {"request": {"messages": user(prompt), "temperature": 0.7}, "response": reply(*texts)}
        for prompt, texts in TEXTS.items()
    ]
    return Log("calls.jsonl", lines(*rows), chat=True)


def responses():
    rows = [
        {"request": {"input": prompt, "temperature": 0.7}, "response": response(text)}
        for prompt, text in PAIRS
    ]
    return Log("calls.jsonl", lines(*rows), chat=True)


def vllm():
    rows = [
        {
            "request_id": str(n),
            "prompt": prompt,
            "prompt_token_ids": [1, 2],
            "outputs": [
                {"index": i, "text": text, "token_ids": [7, 8], "finish_reason": "stop"}
                for i, text in reversed(list(enumerate(texts)))
            ],
            "finished": True,
        }
        for n, (prompt, texts) in enumerate(TEXTS.items())
    ]
    return Log("outputs.jsonl", lines(*rows))


def ray():
    rows = [
        {
            "prompt": prompt,
            "generated_text": text,
            "generated_tokens": [1, 2],
            "num_generated_tokens": 2,
            "__inference_error__": None,
        }
        for prompt, text in PAIRS
    ]
    return Log("part-0.parquet", parquet(*rows))


def verl(uid=True):
    rows = [
        {"input": prompt, "output": text, "gts": "4", "score": 1.0, "step": 20, "acc": True}
        | ({"uid": f"u{prompt[:4]}"} if uid else {})
        for prompt, text in PAIRS
    ]
    return Log("20.jsonl", lines(*rows))


def trl(chat=False):
    rows = [
        {
            "step": 10,
            "prompt": user(prompt) if chat else prompt,
            "completion": [assistant(text)] if chat else text,
            "accuracy_reward": 1.0,
            "advantage": 0.3,
        }
        for prompt, text in PAIRS
    ]
    return Log("completions/completions_00010.parquet", parquet(*rows), chat=chat)


def openrlhf():
    rows = [{"input": prompt, "output": f"{text}<|im_end|>"} for prompt, text in PAIRS]
    return Log("out.jsonl", lines(*rows))


def nemo_skills():
    def seed(n):
        return lines(
            *(
                {
                    "generation": texts[n],
                    "num_generated_tokens": 9,
                    "finish_reason": "stop",
                    "problem": prompt,
                    "expected_answer": "4",
                    "id": "x",
                }
                for prompt, texts in TEXTS.items()
            )
        )

    return Log("sums/output-rs0.jsonl", seed(0), {"sums/output-rs1.jsonl": seed(1)})


def nemo_gym():
    rows = [
        {
            "_ng_task_index": list(TEXTS).index(prompt),
            "_ng_rollout_index": n % 2,
            "responses_create_params": {"input": user(prompt), "temperature": 1.0},
            "response": response(text),
            "reward": 1.0,
        }
        for n, (prompt, text) in enumerate(PAIRS)
    ]
    failures = lines({"_ng_task_index": 3, "error": "timeout"})
    return Log("rollouts.jsonl", lines(*rows), {"rollouts_failures.jsonl": failures}, chat=True)


def chats():
    rows = [{"messages": [*user(prompt), assistant(text)], "model": "m"} for prompt, text in PAIRS]
    return Log("chats.jsonl", lines(*rows), chat=True)


def matharena():
    rows = [
        {
            "problem_idx": str(list(TEXTS).index(prompt)),
            "problem": prompt,
            "model_name": "m",
            "idx_answer": n % 2,
            "all_messages": json.dumps([*user(prompt), assistant(text)]),
            "user_message": prompt,
            "answer": text,
            "gold_answer": "4",
            "correct": True,
        }
        for n, (prompt, text) in enumerate(PAIRS)
    ]
    return Log("outputs.jsonl", lines(*rows), chat=True)


def matharena_local():
    def problem(n):
        prompt = list(TEXTS)[n]
        chats = [[*user(prompt), assistant(text)] for text in TEXTS[prompt]]
        value = {
            "idx": n,
            "problem": prompt,
            "gold_answer": "4",
            "N": 2,
            "messages": chats,
            "answers": ["4", "4"],
            "correct": [True, True],
        }
        return pa.compress(document(value), codec="zstd", asbytes=True)

    return Log("sums/m/0.json.zst", problem(0), {"sums/m/1.json.zst": problem(1)}, chat=True)


def qwen_math():
    rows = [
        {
            "idx": n,
            "question": prompt,
            "gt": "4",
            "code": list(texts),
            "pred": ["4", "4"],
            "report": [None, None],
            "score": [True, True],
        }
        for n, (prompt, texts) in enumerate(TEXTS.items())
    ]
    return Log("test_cot_-1_seed0_t0.6_s0_e-1.jsonl", lines(*rows))


def justrl():
    rows = [
        {
            "example_id": list(TEXTS).index(prompt),
            "prompt": prompt,
            "answer": "4",
            "seed": n,
            "response": text,
        }
        for n, (prompt, text) in enumerate(PAIRS)
    ]
    return Log("aime24_t0.7_p0.9_n2-MNT31744.jsonl", lines(*rows), chat=True)


def reasoning_gym():
    results = [
        {
            "question": prompt,
            "expected_answer": "4",
            "completions": [
                {"model_answer": "4", "full_model_response": text, "score": 1.0} for text in texts
            ],
        }
        for prompt, texts in TEXTS.items()
    ]
    around = {"model": "m", "temperature": 0.6, "top_p": 0.9, "max_tokens": 2048}
    held = [{"name": "graphs", "datasets": [{"name": "x", "results": results}]}]
    return Log("graphs.json", document({"metadata": around, "categories": held}))


def opencompass():
    value = {
        str(n): {
            "origin_prompt": [{"role": "HUMAN", "prompt": prompt}],
            "prediction": list(texts),
            "gold": "4",
        }
        for n, (prompt, texts) in enumerate(TEXTS.items())
    }
    return Log("predictions/m/sums.json", document(value), chat=True)


def every_eval_ever():
    rows = [
        {
            "schema_version": "instance_level_eval_0.2.2",
            "evaluation_id": "e",
            "model_id": "org/m",
            "evaluation_name": name,
            "sample_id": str(list(TEXTS).index(prompt)),
            "interaction_type": "single_turn",
            "input": {"raw": prompt, "reference": ["4"]},
            "output": {"raw": [text]},
            "answer_attribution": [],
            "evaluation": {"score": 1.0, "is_correct": True},
        }
        for name in ("exact", "fuzzy")
        for prompt, text in PAIRS
    ]
    around = {
        "schema_version": "0.2.2",
        "model_info": {"id": "org/m"},
        "evaluation_results": [{"generation_config": {"generation_args": {"temperature": 0.7}}}],
    }
    return Log("u.jsonl", lines(*rows), {"u.json": document(around)})


def plain():
    rows = [{"prompt": prompt, "completion": text, "temperature": 0.7} for prompt, text in PAIRS]
    return Log("log.jsonl", lines(*rows))


LOGS = {
    "lm-eval": lm_eval(),
    "lm-eval chat": lm_eval(chat=True),
    "lighteval": lighteval(),
    "lighteval documented": lighteval("__doc__", "__model_response__"),
    "openai batch": batch(),
    "openai old batch": batch(envelope=False),
    "openai pairs": pairs(),
    "openai responses": responses(),
    "vllm": vllm(),
    "vllm ray": ray(),
    "verl": verl(),
    "verl without uid": verl(uid=False),
    "trl": trl(),
    "trl chat": trl(chat=True),
    "openrlhf": openrlhf(),
    "nemo-skills": nemo_skills(),
    "nemo-gym": nemo_gym(),
    "chats": chats(),
    "matharena": matharena(),
    "matharena local": matharena_local(),
    "math-evals qwen": qwen_math(),
    "math-evals justrl": justrl(),
    "reasoning-gym": reasoning_gym(),
    "opencompass": opencompass(),
    "every-eval-ever": every_eval_ever(),
    "plain": plain(),
}
"""Name of the reader, perhaps with a variant: a log of it."""


def reader_of(name):
    return name.split(" ")[0]


def written(folder, log):
    """Write a log into a folder; return the file that is read."""
    for name, data in {log.name: log.data, **log.beside}.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Path(folder) / log.name
