"""Two runs on the same prompts: two checkpoints, two models, or two dates, prompt by prompt.

Both are scored anew with the same options and at the same m. What differs between them is the
model, and nothing else may: sampling parameters must agree. It says how far one model has
converged more than the other, and whether it has done so more on the suspects than on the
references: a difference in differences. By itself that is no finding of exposure, since easy
prompts converge faster under RL; `audit --control-run` adjusts for that.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from shlex import join
from typing import Any

from wellworn.detectors import Options, load
from wellworn.errors import BadInput
from wellworn.judging import Scoring, measured, sampled, samples_of, setting_for
from wellworn.prompts.asked import recognisable
from wellworn.records import Generation, Score
from wellworn.report.encoding import to_json
from wellworn.report.page.paired import paired_page
from wellworn.report.paired import Paired, PairedItem
from wellworn.report.sides import SETS, SHOWN, SetName
from wellworn.statistics.change import Change, change
from wellworn.statistics.comparison import Comparison, compare
from wellworn.store import Store
from wellworn.store.folders import make_folder

RESULT, PAGE = "compare.json", "compare.html"


def compare_runs(first: Store, second: Store, scoring: Scoring, options: Options) -> Paired:
    """Return how the scores of the second run differ from those of the first.

    The sets are those of the second run.

    Raises:
        BadInput: They share fewer than two scored prompts, or were not sampled alike.
    """
    settings, scores = _scored((first, second), scoring, options)
    parameters = _parameters(scores, (first, second))
    items = _items(second, scores)
    known = [item for item in items if item.change is not None]
    suspects, references = ([i for i in known if i.set == name] for name in SETS)
    if len(suspects) < 2:
        raise BadInput(
            f"{first.folder} and {second.folder} share {len(suspects)} scored prompts; "
            f"a comparison needs 2.\nGive two runs on the same prompts."
        )
    detector = load(scoring.detector)
    missing = len(second.prompt_ids()) - len(items)
    notes = (f"{missing} prompts of {second.folder} are not in {first.folder}.",)
    return Paired(
        wellworn=version("wellworn"),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        first_run=str(first.folder),
        second_run=str(second.folder),
        first_model=settings[0].model,
        second_model=settings[1].model,
        detector=scoring.detector,
        paper=detector.paper,
        orientation=detector.orientation,
        parameters=parameters,
        suspects=_change(suspects),
        references=_change(references),
        difference=_difference(suspects, references),
        items=tuple(items),
        notes=notes if missing else (),
    )


def write_comparison(
    paired: Paired,
    runs: tuple[Store, Store],
    setting: str | None,
    folder: Path,
    command: Sequence[str],
) -> None:
    """Write compare.json and compare.html into a folder, which is made if needed.

    Args:
        paired: What `compare_runs` found.
        runs: The two runs, whose completions the page shows.
        setting: Id of the generation parameters that were scored, as in `Scoring`.
        folder: Where to.
        command: The command that makes it again, word by word.
    """
    make_folder(folder)
    records = [store.records(setting_for(store, setting)) for store in runs]
    page = paired_page(paired, join(command), records)
    (folder / RESULT).write_text(to_json(paired), encoding="utf-8")
    (folder / PAGE).write_text(page, encoding="utf-8")


def _scored(
    stores: tuple[Store, Store], scoring: Scoring, options: Options
) -> tuple[list[Generation], list[dict[str, Score]]]:
    """Return the setting of each run, and its scores by prompt, at one m."""
    load(scoring.detector)
    settings = [setting_for(store, scoring.setting) for store in stores]
    pairs = list(zip(stores, settings, strict=True))
    m = scoring.m or 1
    if scoring.m is None and sampled([scoring.detector], options):
        m = min(samples_of(*each) for each in pairs)
    found = [measured(*each, [scoring.detector], m, options) for each in pairs]
    return settings, [{score.prompt_id: score for (score,) in each} for each in found]


def _items(store: Store, scores: list[dict[str, Score]]) -> list[PairedItem]:
    return [
        _item(store, name, prompt_id, scores)
        for name in SETS
        for prompt_id in store.set_ids(name)
        if prompt_id in scores[0]
    ]


def _parameters(scores: list[dict[str, Score]], stores: tuple[Store, Store]) -> dict[str, Any]:
    """Return what the scores depend on, which must agree but for the model."""
    found = [
        next((s.parameters for s in each.values() if s.score is not None), {}) for each in scores
    ]
    first, second = ({n: v for n, v in each.items() if n != "model"} for each in found)
    for name in {**first, **second} if all(found) else ():
        if first.get(name) != second.get(name):
            raise BadInput(
                f"{stores[0].folder} and {stores[1].folder} do not compare: '{name}' is "
                f"{first.get(name)!r} in one and {second.get(name)!r} in the other.\n"
                f"Sample and score both with the same settings."
            )
    return second


def _item(
    store: Store, name: SetName, prompt_id: str, scores: list[dict[str, Score]]
) -> PairedItem:
    before, after = (each[prompt_id] for each in scores)
    prompt = store.prompt(prompt_id)
    known = before.score is not None and after.score is not None
    return PairedItem(
        prompt_id=prompt_id,
        set=name,
        prompt=recognisable(prompt)[:SHOWN],
        source=prompt.source,
        first=before.score,
        second=after.score,
        change=(after.score or 0.0) - (before.score or 0.0) if known else None,
        reason=before.reason or after.reason,
    )


def _change(items: list[PairedItem]) -> Change | None:
    if len(items) < 2:
        return None
    return change([i.first or 0.0 for i in items], [i.second or 0.0 for i in items])


def _difference(suspects: list[PairedItem], references: list[PairedItem]) -> Comparison | None:
    if min(len(suspects), len(references)) < 2:
        return None
    return compare([i.change or 0.0 for i in suspects], [i.change or 0.0 for i in references])
