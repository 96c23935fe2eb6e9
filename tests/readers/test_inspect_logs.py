"""Logs of Inspect, made by Inspect itself with its mock model."""

import subprocess
import sys
import zipfile

import pytest

from sample_logs import error_of, read
from wellworn.errors import BadInput
from wellworn.importing import import_run, preview
from wellworn.store import Store

inspect_ai = pytest.importorskip("inspect_ai", reason="`make test` installs inspect_ai")

from inspect_ai.log import read_eval_log, write_eval_log  # noqa: E402
from inspect_ai.model import (  # noqa: E402
    ChatCompletionChoice,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    Logprob,
    Logprobs,
    ModelUsage,
    TopLogprob,
)

import inspect_mock  # noqa: E402

QUESTIONS = ("What is 2 + 2?", "Name a colour.")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return the log of an evaluation with three epochs, in both formats."""
    folder = tmp_path_factory.mktemp("inspect")
    subprocess.run([sys.executable, inspect_mock.__file__, str(folder), *QUESTIONS], check=True)
    path = next(folder.glob("*.eval"))
    write_eval_log(read_eval_log(str(path)), str(folder / "log.json"))
    return [path, folder / "log.json"]


@pytest.mark.parametrize("number", [0, 1])
def test_epochs_are_samples_in_their_order(logs, tmp_path, number):
    with Store(tmp_path / "run", create=True) as store:
        done = import_run(store, [logs[number]])
        generation = store.generations()[-1]
        records = list(store.records(generation))
    assert (done.prompts, done.completions, done.samples) == (2, 6, (3, 3))
    assert done.took[0] == "task: sums"
    assert (generation.model, generation.temperature, generation.top_p, generation.max_tokens) == (
        *("mockllm/model", 0.7, 0.95),
        64,
    )
    for n, record in enumerate(records):
        assert record.prompt.shown == QUESTIONS[n]
        assert (record.prompt.metadata["id"], record.prompt.answer) == (f"s{n}", "4")
        samples = record.completions("sample")
        assert [sample.index for sample in samples] == [0, 1, 2]
        assert all(sample.finish_reason == "stop" for sample in samples)
    texts = [c.text for record in records for c in record.completions("sample")]
    assert sorted(texts) == [f"answer {n}" for n in range(6)]


def changed(logs, tmp_path, change):
    """Write the log with its first sample changed; return its path."""
    log = read_eval_log(str(logs[0]))
    change(log.samples[0])
    path = tmp_path / "changed.eval"
    write_eval_log(log, str(path))
    return path


def first_of(path):
    prompt, completions = next(iter(read(path)))
    return prompt, completions


def answers(*contents, stop="stop", **more):
    def change(sample):
        sample.output.choices = [
            ChatCompletionChoice(
                message=ChatMessageAssistant(content=content), stop_reason=stop, **more
            )
            for content in contents
        ]

    return change


def test_choices_of_one_epoch_are_samples_too(logs, tmp_path):
    path = changed(logs, tmp_path, answers("a", "b", stop="max_tokens"))
    _, completions = first_of(path)
    assert [(c.text, c.finish_reason) for c in completions] == [("a", "length"), ("b", "length")]


def test_reasoning_is_set_apart_and_hidden_where_it_is_redacted(logs, tmp_path):
    shown = [ContentReasoning(reasoning="hm"), ContentText(text="four")]
    redacted = [ContentReasoning(reasoning="xyz", redacted=True), ContentText(text="four")]
    _, completions = first_of(
        changed(logs, tmp_path, answers(shown, redacted, "<think>hm</think>four"))
    )
    assert [(c.reasoning, c.text, c.reasoning_hidden) for c in completions] == [
        ("hm", "four", False),
        (None, "four", True),
        ("hm", "four", False),
    ]


def test_reasoning_that_was_only_counted_is_hidden(logs, tmp_path):
    def change(sample):
        answers("four")(sample)
        sample.output.usage = ModelUsage(reasoning_tokens=900)

    _, (completion,) = first_of(changed(logs, tmp_path, change))
    assert completion.reasoning_hidden


def test_log_probabilities_are_taken(logs, tmp_path):
    tops = [TopLogprob(token="four", logprob=-0.5), TopLogprob(token="4", logprob=-1.5)]
    steps = Logprobs(content=[Logprob(token="four", logprob=-0.5, top_logprobs=tops)])
    _, (completion,) = first_of(changed(logs, tmp_path, answers("four", logprobs=steps)))
    assert (completion.signals.top_k, completion.signals.logprobs) == (2, (-0.5,))


def test_a_sample_with_an_error_has_no_completion(logs, tmp_path):
    from inspect_ai.log import EvalError

    def change(sample):
        sample.error = EvalError(message="x", traceback="", traceback_ansi="")

    found = preview([changed(logs, tmp_path, change)])
    assert found.completions == 5
    assert "(null, or failed): 1" in found.notes[0]


def test_the_turns_of_an_agent_are_one_completion(logs, tmp_path):
    def change(sample):
        sample.messages = [
            ChatMessageUser(content="q"),
            ChatMessageAssistant(content="let me look"),
            ChatMessageUser(content="go on"),
            ChatMessageAssistant(content="four"),
        ]

    prompt, (completion,) = first_of(changed(logs, tmp_path, change))
    assert prompt.shown == "q"
    assert completion.text == "let me look\nfour"


def test_attachments_are_resolved(logs, tmp_path):
    long = "a long text that is kept apart " * 20

    def change(sample):
        sample.attachments = {"1": long}
        sample.messages = [
            ChatMessageUser(content="attachment://1"),
            ChatMessageAssistant(content="four"),
        ]

    prompt, _ = first_of(changed(logs, tmp_path, change))
    assert prompt.shown == long


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.95, 0.999])
@pytest.mark.parametrize("number", [0, 1])
def test_a_log_that_was_cut_off_is_refused_in_plain_words(logs, tmp_path, number, share):
    path = tmp_path / logs[number].name
    data = logs[number].read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert error_of(path).startswith(f"{path}")


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "a.eval"
    path.write_bytes(b"no archive")
    assert "\n  inspect: it ends in .eval, but is no zip archive.\n" in error_of(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    assert f"{path}: inspect_ai cannot read this log, after sample 0:" in error_of(path)


def test_without_inspect_the_way_to_get_it_is_said(logs, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(BadInput) as caught:
        preview([logs[0]])
    assert str(caught.value) == (
        f"{logs[0]}: logs of Inspect are read through inspect_ai.\n"
        f"Install it with `pip install '.[inspect]'`."
    )


@pytest.mark.parametrize("source", ["generate", None])
def test_examples_in_an_input_are_no_answers(logs, tmp_path, source):
    def change(sample):
        sample.input = [
            ChatMessageUser(content="1 + 1?"),
            ChatMessageAssistant(content="gold"),
            ChatMessageUser(content="2 + 2?"),
        ]
        answer = ChatMessageAssistant(content="four", source=source)
        sample.messages = [*sample.input, answer]
        sample.output.choices = [ChatCompletionChoice(message=answer)]

    prompt, (completion,) = first_of(changed(logs, tmp_path, change))
    assert [turn.content for turn in prompt.messages] == ["1 + 1?", "gold", "2 + 2?"]
    assert completion.text == "four"


def test_reasoning_that_is_only_summed_up_is_hidden(logs, tmp_path):
    summed = [ContentReasoning(reasoning="", summary="It adds."), ContentText(text="four")]
    _, (completion,) = first_of(changed(logs, tmp_path, answers(summed)))
    assert (completion.reasoning, completion.reasoning_hidden) == (None, True)
