"""How different texts are in what they say: by natural language inference, and by embeddings.

NLI diversity (Stasaski and Hearst 2022): a model judges pairs of texts, in both orders. A
contradiction counts +1, an entailment -1, weighted by the model's confidence in it; neutral counts
0. The two orders are summed, so that a pair lies from -2 to 2, and the mean is over pairs: higher
is more diverse. The code that Kirk et al. (2024) published takes the sum for a similarity and
gives 1 - mean, by which contradictions lower the diversity; that is `nli-published`.

Long chains of thought do not fit into such a model. So a pair is of two steps by default, one
drawn at random from each of two completions; `completion` compares whole texts, cut to 512 tokens
a pair. Not all pairs are judged but some, drawn at random.

Embedding diversity is 1 less the mean cosine of all pairs. A text whose embedding is zero has no
direction: then there is no value, but a reason. Encoders read the beginning of a long text alone
(all-MiniLM-L6-v2: 256 tokens); `embedding cut` is the share of the texts of which they do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from threading import Lock
from typing import Any

import numpy as np

from wellworn.analysis.design import Level
from wellworn.analysis.sets import Neural
from wellworn.analysis.skeletons import steps
from wellworn.errors import BackendError, BadInput, Unscorable

_BATCH = 32
_LONGEST = 512
_SEED = 20_260_211

Judge = Callable[[Sequence[tuple[str, str]]], np.ndarray]
"""What a model says of (premise, hypothesis): float[pairs, 3], the probabilities of contradiction,
neutral and entailment."""
Measure = Callable[[Sequence[str]], dict[str, float]]
"""What a model says of texts, by the names of its measures."""


@dataclass(frozen=True, kw_only=True)
class Models:
    """Models that read the completions; none is used unless it is named."""

    nli: str | None = None
    """A transformers model for NLI: a folder, or a name such as roberta-large-mnli."""
    nli_level: Level = "step"
    """Whether pairs of steps are judged, or of whole completions."""
    nli_pairs: int = 64
    """Pairs of each set that are judged."""
    embedding: str | None = None
    """A sentence-transformers model: a folder, or a name."""
    analysis_device: str | None = None
    """Where both run: cpu, cuda; by default where they find best."""

    def __post_init__(self) -> None:
        if self.nli_pairs < 1:
            raise BadInput(f"--nli-pairs is {self.nli_pairs}; it must be 1 or more.")

    def measures(self) -> Neural:
        """Return the measures of the models that are named; they are loaded here.

        Raises:
            BackendError: A package is missing, or a model cannot be loaded.
        """
        found: dict[str, Measure] = {}
        if self.nli:
            judge = _judge(self.nli, self.analysis_device)
            name = f"NLI by {self.nli}, {self.nli_pairs} pairs by {self.nli_level}"
            found[name] = lambda texts: nli_diversity(
                texts, judge, level=self.nli_level, pairs=self.nli_pairs
            )
        if self.embedding:
            found[f"embeddings by {self.embedding}"] = _embedder(
                self.embedding, self.analysis_device
            )
        return {name: _one_at_a_time(measure) for name, measure in found.items()}


def nli_diversity(
    texts: Sequence[str], judge: Judge, *, level: Level = "step", pairs: int = 64
) -> dict[str, float]:
    """Return NLI diversity: as the paper orients it, the same in [0, 1], and as published.

    Args:
        texts: Two or more.
        judge: The model.
        level: What a pair is of.
        pairs: How many pairs are judged; all, of whole texts, where there are no more.

    Raises:
        Unscorable: Fewer than two texts say anything.
    """
    chosen = _pairs([text for text in texts if steps(text)], level, pairs)
    both = judge([*chosen, *((second, first) for first, second in chosen)])
    top = both.argmax(axis=1)
    weights = np.array([1.0, 0.0, -1.0])[top] * both[np.arange(len(both)), top]
    value = float((weights[: len(chosen)] + weights[len(chosen) :]).mean())
    return {"nli": value, "nli-scaled": (value + 2) / 4, "nli-published": 1 - value}


def _pairs(texts: Sequence[str], level: Level, pairs: int) -> list[tuple[str, str]]:
    if len(texts) < 2:
        raise Unscorable(f"NLI needs two completions that are not empty; there are {len(texts)}")
    random = Random(_SEED)
    every = list(combinations(texts, 2))
    if level == "completion":
        return every if len(every) <= pairs else random.sample(every, pairs)
    drawn = random.choices(every, k=pairs)
    return [(random.choice(steps(first)), random.choice(steps(second))) for first, second in drawn]


def embedding_diversity(vectors: np.ndarray) -> float:
    """Return 1 less the mean cosine of all pairs, in [0, 2].

    Raises:
        Unscorable: There are fewer than two, or one is zero.

    >>> embedding_diversity(np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]])).__round__(3)
    0.667
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if len(vectors) < 2:
        raise Unscorable(f"embeddings need two completions; there are {len(vectors)}")
    if zero := int((lengths == 0).sum()):
        raise Unscorable(f"{zero} of {len(vectors)} embeddings are zero")
    units = vectors / lengths
    cosines = units @ units.T
    return 1 - float(cosines[np.triu_indices(len(units), k=1)].mean())


def _one_at_a_time(measure: Measure) -> Measure:
    """Return a measure that one thread takes at once: tokenizers are not made for several."""
    free = Lock()

    def alone(texts: Sequence[str]) -> dict[str, float]:
        with free:
            return measure(texts)

    return alone


def _judge(name: str, device: str | None) -> Judge:
    try:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as error:
        raise _missing("NLI", error) from None
    try:
        tokens = AutoTokenizer.from_pretrained(name)
        model = AutoModelForSequenceClassification.from_pretrained(name).eval().to(device or "cpu")
    except (OSError, ValueError) as error:
        raise BackendError(f"--nli {name}: the model cannot be loaded ({error}).") from None
    order = _order(name, model.config.id2label)
    most = getattr(model.config, "max_position_embeddings", _LONGEST)
    longest = min(_LONGEST, tokens.model_max_length, most)

    def judge(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        found = []
        for start in range(0, len(pairs), _BATCH):
            first, second = zip(*pairs[start : start + _BATCH], strict=True)
            read = tokens(
                list(first),
                list(second),
                padding=True,
                truncation="longest_first",
                max_length=longest,
                return_tensors="pt",
            ).to(model.device)
            with torch.inference_mode():
                found.append(model(**read).logits.float().softmax(-1)[:, order].cpu().numpy())
        return np.concatenate(found)

    return judge


def _order(name: str, labels: dict[int, str]) -> list[int]:
    """Return the places of contradiction, neutral and entailment among a model's labels."""
    places = {label.lower(): place for place, label in labels.items()}
    try:
        return [places[label] for label in ("contradiction", "neutral", "entailment")]
    except KeyError:
        raise BadInput(
            f"--nli {name}: its labels are {', '.join(map(str, labels.values()))}; an NLI model "
            f"has contradiction, neutral and entailment.\nGive one such as roberta-large-mnli."
        ) from None


def _embedder(name: str, device: str | None) -> Measure:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise _missing("embeddings", error) from None
    try:
        model: Any = SentenceTransformer(name, device=device)
    except (OSError, ValueError) as error:
        raise BackendError(f"--embedding {name}: the model cannot be loaded ({error}).") from None

    def measure(texts: Sequence[str]) -> dict[str, float]:
        read = model.encode(list(texts), batch_size=_BATCH, show_progress_bar=False)
        found = {"embedding": embedding_diversity(np.asarray(read, dtype=np.float64))}
        if (most := model.max_seq_length) is not None:
            whole = model.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]
            found["embedding cut"] = sum(len(each) > most for each in whole) / len(texts)
        return found

    return measure


def _missing(what: str, error: ImportError) -> BackendError:
    return BackendError(
        f"{what}: {error.name} is not installed.\nInstall it with `pip install '.[semantic]'`."
    )
