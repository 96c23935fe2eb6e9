"""The effect that this package exists for, caused and found: on fixed seeds, in a minute.

The base is that of the demo. Before RL nothing tells its suspects from its references; after
25 steps of GRPO on the suspects, Min-kNN Distance does, and it came with success.
"""

from importlib.resources import files

import msgspec
import pytest

torch = pytest.importorskip("torch", reason="`make test` installs torch and transformers")

from wellworn.detectors.min_knn import default_k  # noqa: E402
from wellworn.distance import min_knn_distance  # noqa: E402
from wellworn.lab import models  # noqa: E402
from wellworn.lab.config import load_config  # noqa: E402
from wellworn.lab.decoding import generate  # noqa: E402
from wellworn.lab.rl.loop import Loop, Subject  # noqa: E402
from wellworn.lab.tasks import load_task  # noqa: E402
from wellworn.statistics.comparison import compare  # noqa: E402

DEMO = files("wellworn.demo")
TASK = load_task("countdown")
SAMPLES, LIMIT = 32, 44


def items(name):
    lines = (DEMO / f"{name}.jsonl").read_text().splitlines()
    answers = [msgspec.json.decode(line)["answer"] for line in lines]
    return [msgspec.json.decode(answer, type=TASK.kind) for answer in answers]


@pytest.fixture(scope="module")
def base():
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    options = {"gguf_file": "base.gguf"}
    tokenizer = AutoTokenizer.from_pretrained(str(DEMO), **options)
    return AutoModelForCausalLM.from_pretrained(
        str(DEMO), dtype=torch.float32, **options
    ), tokenizer


def answered(model, tokenizer, item):
    """Return samples of one problem, and how many are right."""
    prompt = models.prompt_ids(tokenizer, item.prompt)
    chance = torch.Generator().manual_seed(1)
    found = generate(model, [prompt], SAMPLES, LIMIT, chance)
    rows = zip(found.tokens.tolist(), found.lengths.tolist(), strict=True)
    texts = tokenizer.batch_decode([ids[:end] for ids, end in rows], skip_special_tokens=True)
    return texts, sum(TASK.verify(item, text) for text in texts) / SAMPLES


def compared(model, tokenizer):
    """Return the comparison of suspects and references, and the pass rates of both."""
    model.eval()
    sides = [
        [answered(model, tokenizer, item) for item in items(name)]
        for name in ("suspects", "references")
    ]
    scores = [
        [-min_knn_distance(texts, k=default_k(SAMPLES)) for texts, _ in side] for side in sides
    ]
    return compare(*scores), [sum(rate for _, rate in side) / len(side) for side in sides]


def test_rl_on_the_suspects_is_found_and_nothing_before_it(base):
    model, tokenizer = base
    before, rates = compared(model, tokenizer)
    assert before.low < 0.5 < before.high
    assert all(0.2 <= rate <= 0.6 for rate in rates)

    config = load_config("countdown", {"rl": {"algorithm": "grpo", "steps": 25}})
    loop = Loop(Subject(model, tokenizer, TASK, items("suspects")), config.rl, seed=0)
    assert [step.step for step in loop.steps()] == list(range(1, 26))
    assert sum(each.drawn for each in loop.exposures) == 25 * config.rl.prompts

    after, (suspects, references) = compared(model, tokenizer)
    assert after.low > 0.5
    assert suspects > references + 0.2
