"""Whether completions were drawn, as detectors that compare samples need."""

from wellworn.errors import BadInput
from wellworn.readers.quality import GREEDY
from wellworn.records import Generation
from wellworn.store import Store


def check_drawn(store: Store, setting: Generation, what: str, way_out: str) -> None:
    """Refuse completions that are greedy, or that an import took as greedy.

    Args:
        store: The run.
        setting: The parameters whose completions are read.
        what: What reads samples, for the error.
        way_out: What else can be done, in a sentence.

    Raises:
        BadInput: Their temperature is 0.
    """
    if setting.temperature != 0:
        return
    fact = "the completions are greedy (temperature 0)"
    if GREEDY in store.notes("import"):
        fact = "all completions of every prompt are the same, so the import took them as greedy"
        way_out += (
            " If the model was sampled anew each time, import the log into another run, and say "
            "at which --temperature."
        )
    raise BadInput(f"{store.folder}: {fact}, and {what} reads samples.\n{way_out}")
