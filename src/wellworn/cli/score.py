"""`wellworn score`: from stored completions to scores."""

from wellworn.cli.console import progress, stderr, stdout
from wellworn.cli.options import Json, Measure, Run, What
from wellworn.cli.outcome import write_json
from wellworn.detectors import Options
from wellworn.judging import Scoring, score_run
from wellworn.records import Score
from wellworn.store import Store

_WHAT, _MEASURE = Scoring(), Options()


def score(
    run: Run,
    /,
    *,
    what: What = _WHAT,
    measure: Measure = _MEASURE,
    json: Json = False,
) -> int:
    """Score the completions of a run, and keep the scores in it."""
    with Store(run) as store:
        with progress() as stages:
            scores = score_run(store, what, measure, on_progress=stages)
        if json:
            write_json(scores)
        else:
            for item in scores:
                line = _line(item, store.prompt(item.prompt_id).question)
                stdout.print(line, markup=False, highlight=False, no_wrap=True, crop=False)
    lacking = sum(item.score is None for item in scores)
    stderr.print(f"{len(scores) - lacking} of {len(scores)} prompts have a score.", highlight=False)
    return int(lacking > 0)


def _line(item: Score, question: str) -> str:
    """Return the prompt's id, its value or why there is none, and its end, which tells most."""
    value = "-" if item.value is None else f"{item.value:.4f}"
    empty = item.counts.empty
    flag = f"({empty} of {item.counts.completions} are empty) " if empty else ""
    said = f"({item.reason}) " if item.reason else flag
    return f"{item.prompt_id}  {value:>6}  {said}{question[-60:]}"
