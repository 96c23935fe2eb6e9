"""How fast is Self-Critique in this process? Against the one packaged peer, in the same run.

    pip install --no-deps benchleak==0.4.0
    python benchmarks/self_critique.py --model hf/MODEL [--prompts 16] [--tokens 128]

Both answer the same prompts greedily, twice, with the same second question, on the same loaded
weights in float32. The peer takes one text at a time. The entropies of both are compared, step
by step, as far as both wrote the same tokens.
"""

import argparse
import time
from collections.abc import Sequence
from importlib import resources

from wellworn.backends import Request, Target, open_backend
from wellworn.probes import PROBES
from wellworn.prompts import read_prompts
from wellworn.records import Completion, Generation, Prompt

SETS = "suspects", "references"


def ours(backend, prompts: Sequence[Prompt], tokens: int) -> list[Completion]:
    setting = Generation(model=backend.identity, max_tokens=tokens).greedy
    requests = [Request(prompt=p, generation=setting, index=0, seed=0) for p in prompts]
    batches = [requests[at : at + backend.batch] for at in range(0, len(requests), backend.batch)]
    return [answer for batch in batches for answer in backend.complete(batch)]


def peers(detector, prompts: Sequence[Prompt]) -> list[tuple[list[float], str]]:
    made = (detector._generate(prompt.shown) for prompt in prompts)
    return [(entropies.tolist(), text) for entropies, text in made]


def apart(answer: Completion, entropies: list[float]) -> float:
    """Return the largest difference of two curves of one answer.

    The peer also has the step at which the answer ends.
    """
    assert answer.signals is not None
    return max(
        (abs(a - b) for a, b in zip(answer.signals.entropy, entropies, strict=False)), default=0.0
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="hf/NAME, hf/FOLDER or hf/FILE.gguf")
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=128)
    options = parser.parse_args()

    from benchleak.detectors.rl import SelfCritiqueDetector

    backend = open_backend(Target(model=options.model, device="cpu"))
    files = [resources.files("wellworn.demo") / f"{name}.jsonl" for name in SETS]
    prompts = [prompt for file in files for prompt in read_prompts(str(file)).prompts]
    prompts = prompts[: options.prompts]
    detector = SelfCritiqueDetector(backend._model, backend._tokens._tokenizer, options.tokens)

    start = time.perf_counter()
    first = ours(backend, prompts, options.tokens)
    again = [
        PROBES["critique-published"].ask(prompt, answer.text).prompt
        for prompt, answer in zip(prompts, first, strict=True)
    ]
    second = ours(backend, again, options.tokens)
    mine = time.perf_counter() - start

    backend._model.generation_config.eos_token_id = sorted(backend._stops)  # or it never ends
    start = time.perf_counter()
    theirs = [*peers(detector, prompts), *peers(detector, again)]
    peer = time.perf_counter() - start

    same = [
        apart(answer, entropies)
        for answer, (entropies, text) in zip([*first, *second], theirs, strict=True)
        if answer.text == text
    ]
    print(f"{len(prompts)} prompts x 2 passes x {options.tokens} tokens, float32")
    print(f"wellworn {mine:.0f} s, benchleak {peer:.0f} s: x{peer / mine:.1f} (target x4)")
    print(
        f"{len(same)} of {len(theirs)} answers are equal, their entropies to "
        f"{max(same, default=0):.1e} (target 1e-4)"
    )


if __name__ == "__main__":
    main()
