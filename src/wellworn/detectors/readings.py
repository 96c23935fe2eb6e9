"""One text, read twice: what its likelihood is measured against.

- `reference-ratio` (arXiv 2012.07805): against another model. For contamination by RL that is
  the checkpoint before RL, or the base model (`--control-model`); the log-likelihoods of the
  same tokens are subtracted, so it needs the same tokenizer.
- `lowercase` (arXiv 2012.07805): against the same text in lower case. A memorised text loses
  more. A text without capitals has the value 1 and tells nothing.
- `recall` (arXiv 2406.15968): against the same tokens after texts that were not trained on.
  Such a prefix helps a new text more than one that is known. The paper's prefix are 12 texts
  of known non-members; ours are seven that were written for it. The published code of arXiv
  2510.09259 measures something else under this name: see `recall-published`.

With `--target prompt` or `gold` they tell of pretraining. With `--target response` (the default)
they read the model's own greedy answer again, as a text.
"""

from collections.abc import Callable
from typing import Any

from wellworn.detectors.answers import answer_to
from wellworn.detectors.base import Detector, Measured, Options, rising
from wellworn.detectors.likelihoods import logprobs_of, mean, of_equal_tokens, text_read
from wellworn.errors import Unscorable
from wellworn.probes import Need, Target
from wellworn.probes.wording import VERSION
from wellworn.records import Record


def reference_ratio(record: Record, *, target: Target) -> Measured:
    """Return by how much the text is more probable than under the control model, in nats a token.

    Raises:
        Unscorable: A reading is missing, or the control model has other tokens.
    """
    own, control = of_equal_tokens(record, f"read-{target}", f"read-{target}-control")
    model = answer_to(record, f"read-{target}-control").generation.model
    return Measured(own - control, {"likelihood": own, "control": control}, {"control": model})


def lowercase(record: Record, *, target: Target) -> Measured:
    """Return the mean log-likelihood in lower case by that of the text as it is.

    Raises:
        Unscorable: A reading is missing, or every token is certain.
    """
    own, lower = (mean(logprobs_of(record, f"read-{target}{change}")) for change in ("", "-lower"))
    return Measured(_ratio(lower, own), {"likelihood": own, "lower": lower})


def recall(record: Record, *, target: Target, wording: int) -> Measured:
    """Return the mean log-likelihood after foreign texts by that of the text as it is.

    Raises:
        Unscorable: A reading is missing, its tokens differ, or every token is certain.
    """
    own, after = of_equal_tokens(record, f"read-{target}", f"read-{target}-shots")
    return Measured(_ratio(after, own), {"likelihood": own, "after_shots": after})


def _ratio(changed: float, own: float) -> float:
    if own == 0:
        raise Unscorable("every token of the text is certain, and nothing can be divided by 0")
    return changed / own


def _needs(change: str) -> Callable[[Options, int], tuple[Need, ...]]:
    def needs(options: Options, m: int) -> tuple[Need, ...]:
        own = f"read-{options.target}"
        return (Need(own, signals=True), Need(f"{own}-{change}", signals=True))

    return needs


def _text_and_wording(options: Options, m: int) -> dict[str, Any]:
    return {**text_read(options, m), "wording": VERSION}


REFERENCE = Detector(
    name="reference-ratio",
    summary="mean log-likelihood of the text minus that under a control model",
    paper="arXiv 2012.07805",
    measure=reference_ratio,
    score=rising,
    orientation="value",
    parameters=text_read,
    needs=_needs("control"),
    requires=("answers", "prompt log-probabilities"),
)
LOWERCASE = REFERENCE._replace(
    name="lowercase",
    summary="mean log-likelihood of the text in lower case by that of the text",
    measure=lowercase,
    needs=_needs("lower"),
)
RECALL = REFERENCE._replace(
    name="recall",
    summary="mean log-likelihood of the text after foreign texts by that of the text",
    paper="arXiv 2406.15968",
    measure=recall,
    parameters=_text_and_wording,
    needs=_needs("shots"),
)
