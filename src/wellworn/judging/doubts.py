"""Why completions of two runs may not compare, though their settings agree."""

from typing import Any

from wellworn.judging import setting_for
from wellworn.sampler.continuity import addresses, left_out
from wellworn.store import Store


def doubts_between(store: Store, reference: Store, how: dict[str, Any]) -> list[str]:
    """Return why completions of two runs may not compare, though their settings agree."""
    settings = [setting_for(each, how["setting"]) for each in (store, reference)]
    found = []
    ours, theirs = (addresses(*each) for each in zip((store, reference), settings, strict=True))
    if ours and theirs and ours != theirs:
        found.append(
            f"The suspects were sampled at {', '.join(ours)}, the references at "
            f"{', '.join(theirs)}, under one name: that it is one model, nothing shows. Sample "
            f"both into one run, with --same-model if the address changes."
        )
    if all(setting.temperature is None for setting in settings):
        found.append(
            "Nothing says at which temperature the suspects or the references were sampled, so two "
            "may be compared. Say it with `wellworn import --temperature`."
        )
    refused = [left_out(*each) for each in zip((store, reference), settings, strict=True)]
    if refused[0] != refused[1]:
        found.append(
            f"The suspects' server refused the sampling fields {refused[0]}, the references' "
            f"{refused[1]}: they were not sampled alike."
        )
    return found
