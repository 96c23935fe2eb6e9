"""Training rollouts say which prompts of a run are members."""

import json

import pytest

from sample_logs import jsonl
from wellworn.errors import BadInput
from wellworn.members import known_labels, members
from wellworn.records import Prompt, chat

LONG = "Three friends share 12 apples; how many does each of them get?"
TRAINED = [
    ("1.jsonl", f"system\nYou are helpful.\nuser\n{LONG}\nassistant\n"),
    ("2.jsonl", "What is 2 + 2?"),
    ("2.jsonl", "Prove that the square root of two is irrational, step by step."),
]


@pytest.fixture
def rollouts(tmp_path):
    for step in (1, 2):
        rows = [
            {"input": text, "output": "a", "score": 1.0, "step": step}
            for name, text in TRAINED
            if name == f"{step}.jsonl"
        ]
        jsonl(tmp_path, *rows, name=f"{step}.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("prompt", "member"),
    [
        (chat(LONG, system="another"), True),
        (chat(LONG.replace(" ", "\n")), True),
        (chat("What is 2 + 2?"), True),
        (Prompt(text="What is  2 + 2?"), True),
        (chat(f"{TRAINED[2][1]} Put the answer into a box."), True),
        (chat("What is 2 + 3?"), False),
        (chat("2 + 2?"), False),
        (chat("What is 2 + 2? And what is 3 + 3?"), False),
    ],
)
def test_a_prompt_is_a_member_where_it_was_rolled_out(rollouts, prompt, member):
    contrast = chat("never asked") if member else chat(LONG)
    found = members([prompt, contrast], [rollouts])
    assert found.by_prompt == {prompt.id: member, contrast.id: not member}
    assert found.note == (
        f"1 member: prompts that were rolled out in training ({rollouts}, 3 prompts). The others "
        f"count as non-members, which holds only if every step was dumped."
    )


@pytest.mark.parametrize(("prompt", "count"), [(chat(LONG), 1), (chat("never asked"), 0)])
def test_both_kinds_are_needed(rollouts, prompt, count):
    with pytest.raises(BadInput) as caught:
        members([prompt], [rollouts])
    assert str(caught.value) == (
        f"{rollouts}: of the 1 prompt of the run, {count} are among the 3 prompts that were rolled "
        f"out; an evaluation needs both members and others.\nOne of the run: {prompt.shown!r}. One "
        f"rolled out: {TRAINED[2][1]!r}."
    )


TEMPLATES = {
    "chatml": "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n"
    "<|im_start|>assistant\n",
    "chatml, decoded": "system\nBe brief.\nuser\n{}\nassistant\n",
    "llama": "<|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|>",
    "gemma": "<bos><start_of_turn>user\n{}<end_of_turn>\n<start_of_turn>model\n",
    "mistral": "<s>[INST]<<SYS>>\nBe brief.\n<</SYS>>\n\n{}[/INST]",
    "deepseek": "<s>Be brief.<\uff5cUser\uff5c>{}<\uff5cAssistant\uff5c>",
    "phi": "<|system|>Be brief.<|end|><|user|>{}<|end|><|assistant|>",
    "r1-zero": "A conversation. Think between tags. User: {}\nAssistant: <think>",
}


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_short_questions_are_found_in_templates(tmp_path, template):
    asked = ("What is 2 + 2?", "What is 22?")
    rows = [
        {"input": template.format(q), "output": "a", "score": 1.0, "step": 1} for q in asked[:1]
    ]
    dump = jsonl(tmp_path, *rows)
    bare, other = chat(asked[0], system="Be brief."), chat(asked[1], system="Be brief.")
    assert members([bare, other], [dump]).by_prompt == {bare.id: True, other.id: False}
    same = Prompt(text=template.format(asked[0]))
    system = chat("Be brief.")
    assert members([same, system], [dump]).by_prompt == {same.id: True, system.id: False}


def test_rollouts_that_cannot_be_read_give_a_way_out_that_is_there(tmp_path):
    dump = jsonl(tmp_path, {"id": "1", "member": 1})
    with pytest.raises(BadInput, match=r"no reader finds(.|\n)*goes to --labels\.$") as caught:
        members([chat("a"), chat("b")], [dump])
    assert "--prompt-field" not in str(caught.value)


def test_labels_come_from_one_place(rollouts, tmp_path):
    prompts = [chat(LONG), chat("never asked")]
    with pytest.raises(BadInput, match="neither is given"):
        known_labels(prompts, None, ())
    path = tmp_path / "labels.csv"
    path.write_text(f"prompt_id,member\n{prompts[0].id},0\n{prompts[1].id},1\n")
    with pytest.raises(BadInput, match="both are given"):
        known_labels(prompts, path, (str(rollouts),))
    assert known_labels(prompts, path, ()).by_prompt == {
        prompts[0].id: False,
        prompts[1].id: True,
    }


def test_an_evaluation_takes_its_labels_from_rollouts(rollouts, tmp_path, capsys):
    from wellworn.cli import main

    rows = [
        {"prompt": text, "completions": [f"{text} {n}" for n in range(4)]}
        for text in (LONG, TRAINED[1][1], "never asked", "nor this")
    ]
    path = jsonl(tmp_path, *rows, name="log.jsonl")
    run = str(tmp_path / "run")
    for arguments in (
        ["import", str(path), "-o", run],
        ["score", run],
        ["evaluate", run, "--members-from", str(rollouts / "[12].jsonl"), "--json"],
    ):
        with pytest.raises(SystemExit) as exit_:
            main(arguments)
        assert exit_.value.code == 0
        out = capsys.readouterr().out
    evaluation = json.loads(out)
    assert (evaluation["members"], evaluation["non_members"]) == (2, 2)
