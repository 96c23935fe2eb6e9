"""Run an evaluation of Inspect with its mock model, in a process of its own.

python inspect_mock.py FOLDER QUESTION…
"""

import sys

EPOCHS = 3


def run(folder, questions):
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model

    answers = [f"answer {n}" for n in range(len(questions) * EPOCHS)]
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:  # else tokens are counted by what must be downloaded
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    task = Task(
        name="sums",
        dataset=[Sample(id=f"s{n}", input=q, target="4") for n, q in enumerate(questions)],
        config=GenerateConfig(temperature=0.7, top_p=0.95, max_tokens=64),
        epochs=EPOCHS,
    )
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = eval(task, model=model, log_dir=folder, display="none", max_samples=1)
    if log.status != "success":
        raise SystemExit(str(log.error))


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2:])
