"""Scores in the forms that other evaluation tools read.

Inspect: a JSON Lines file for its scorer `precomputed_scores`, by the ids that the samples had in
the log they came from; a prompt without a score is left out, which Inspect counts as unscored.

Every Eval Ever: a document of the evaluation, and a record a prompt beside it, as its schema 0.3.0
has them. Our score is no rate of success: `is_correct` is always false, and says nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from math import ceil, floor
from pathlib import Path
from statistics import fmean
from typing import Any
from uuid import UUID

from wellworn.errors import BadInput
from wellworn.judging import setting_for
from wellworn.records import Generation, Prompt, Record, Score, digest
from wellworn.store import Store
from wellworn.tables.values import without_surrogates

_SCHEMA = "0.3.0"


def inspect_rows(store: Store) -> Iterator[dict[str, Any]]:
    """Yield the scores of the verdict's detector, as Inspect's `precomputed_scores` reads them.

    Raises:
        BadInput: The run is not scored, or two of its prompts had one id.
    """
    how = _how(store)
    prompts = {prompt_id: store.prompt(prompt_id) for prompt_id in store.prompt_ids()}
    counts = Counter(_name(prompt) for prompt in prompts.values())
    twice = next((name for name, count in counts.items() if count > 1), None)
    if twice is not None:
        raise BadInput(
            f"{store.folder}: two of its prompts are called '{twice}' in the logs they came from, "
            f"so Inspect could not tell them apart.\nImport each log into a run of its own."
        )
    for score in store.scores(how["detector"]):
        if score.score is not None:
            yield {
                "id": _name(prompts[score.prompt_id]),
                "value": score.score,
                "explanation": f"{score.detector} = {score.value}; higher is more converged",
                "metadata": {"prompt_id": score.prompt_id, **score.parameters},
            }


def write_every_eval_ever(store: Store, folder: Path) -> int:
    """Write the scores of a run as a document and its records; return how many records.

    Raises:
        BadInput: The run is not scored, or the folder cannot be written.
    """
    how = _how(store)
    setting = setting_for(store, how["setting"])
    scores = [score for score in store.scores(how["detector"]) if score.score is not None]
    if not scores:
        raise BadInput(f"{store.folder}: no prompt has a score, so there is nothing to write.")
    created = datetime.now(UTC)
    key = f"wellworn/{setting.model}/{created.timestamp():.0f}"
    place = _place(setting.model, key)
    records = {record.prompt.id: record for record in store.records(setting)}
    rows = [_record(records[score.prompt_id], score, setting, key) for score in scores]
    text = "".join(json.dumps(_valid(row)) + "\n" for row in rows)
    document = _document(scores, setting, key, created)
    document["detailed_evaluation_results"] = {
        "format": "jsonl",
        "file_path": f"{place}_samples.jsonl",
        "hash_algorithm": "sha256",
        "checksum": sha256(text.encode()).hexdigest(),
        "total_rows": len(rows),
    }
    try:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{place}_samples.jsonl").write_text(text, encoding="utf-8")
        whole = json.dumps(_valid(document), indent=2)
        (folder / f"{place}.json").write_text(whole, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder}: it cannot be written ({error.strerror}).") from None
    return len(rows)


def _place(model: str, key: str) -> str:
    """Return where the schema wants an evaluation: data/NAME/DEVELOPER/MODEL/UUID."""
    developer, _, name = model.rpartition("/")
    parts = (re.sub(r"[^\w.\-]+", "_", part).strip("_.") for part in (developer, name))
    folders = "/".join(part or "unknown" for part in parts)
    uuid = UUID(bytes=sha256(key.encode()).digest()[:16], version=4)
    return f"data/wellworn/{folders}/{uuid}"


def _how(store: Store) -> dict[str, Any]:
    how: dict[str, Any] | None = store.meta("scored")
    if not how:
        raise BadInput(f"{store.folder}: not scored yet. Run `wellworn score {store.folder}`.")
    return how


def _name(prompt: Prompt) -> str:
    return str(prompt.metadata.get("id", prompt.id))


def _document(
    scores: Sequence[Score], setting: Generation, key: str, created: datetime
) -> dict[str, Any]:
    """Return the evaluation as a whole."""
    return {
        "schema_version": _SCHEMA,
        "evaluation_id": key,
        "evaluation_timestamp": created.isoformat(timespec="seconds"),
        "retrieved_timestamp": f"{created.timestamp():.0f}",
        "source_metadata": {
            "source_name": "wellworn",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "wellworn", "version": version("wellworn")},
        "model_info": {
            "name": setting.model,
            "id": setting.model,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [_result(scores, setting)],
    }


def _result(scores: Sequence[Score], setting: Generation) -> dict[str, Any]:
    values = [score.score for score in scores if score.score is not None]
    known = {"temperature": setting.temperature, "top_p": setting.top_p}
    most = {"max_tokens": setting.max_tokens} if setting.max_tokens else {}
    return {
        "evaluation_result_id": scores[0].detector,
        "evaluation_name": f"wellworn {scores[0].detector}",
        "source_data": {"dataset_name": "suspects and references", "source_type": "other"},
        "metric_config": {
            "evaluation_description": "Convergence of sampled completions, prompt by prompt. "
            "Higher scores are more converged; none says that training is proven.",
            "metric_id": f"wellworn.{scores[0].detector}",
            "metric_name": scores[0].detector,
            "metric_parameters": {
                name: value
                for name, value in scores[0].parameters.items()
                if value is None or isinstance(value, str | int | float)
            },
            "lower_is_better": True,
            "score_type": "continuous",
            "min_score": min(0, floor(min(values))),
            "max_score": max(1, ceil(max(values))),
        },
        "score_details": {"score": fmean(values), "uncertainty": {"num_samples": len(values)}},
        "generation_config": {"generation_args": {**known, **most}},
    }


def _record(record: Record, score: Score, setting: Generation, key: str) -> dict[str, Any]:
    """Return a prompt with its completions and its score."""
    prompt, samples = record.prompt, record.completions("sample")
    reference = [] if prompt.answer is None else [prompt.answer]
    traces = [sample.reasoning or "" for sample in samples]
    return {
        "schema_version": _SCHEMA,
        "evaluation_id": key,
        "model_id": setting.model,
        "evaluation_name": f"wellworn {score.detector}",
        "evaluation_result_id": score.detector,
        "sample_id": _name(prompt),
        "sample_hash": digest([prompt.shown, reference]),
        "interaction_type": "single_turn",
        "input": {"raw": prompt.shown, "reference": reference},
        "output": {
            "raw": [sample.text for sample in samples],
            "reasoning_trace": traces if any(traces) else None,
        },
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": score.score, "is_correct": False},
        "metadata": {"prompt_id": prompt.id, "value": str(score.value)},
    }


def _valid(value: Any) -> Any:
    """Return a JSON value without lone surrogates."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {name: _valid(held) for name, held in value.items()}
    return [_valid(held) for held in value] if isinstance(value, list) else value
