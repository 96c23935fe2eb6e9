"""`wellworn lab audit`: the checkpoints of an experiment, audited."""

from pathlib import Path

from wellworn.cli.console import progress, stdout
from wellworn.cli.options import Json
from wellworn.cli.outcome import write_json
from wellworn.lab.display import show
from wellworn.lab.experiment import open_experiment
from wellworn.lab.results import audited


def audit(experiment: Path, /, *, json: Json = False) -> int:
    """Audit the checkpoints of an experiment, and say what the detectors make of them.

    What was sampled before is not sampled again. The reports of each audit lie in its folder.

    Args:
        experiment: The folder of the experiment.
        json: Write the results to stdout as JSON.
    """
    with progress() as stages:
        results = audited(open_experiment(experiment), stages)
    if json:
        write_json(results)
    else:
        show(results, stdout)
    return 0
