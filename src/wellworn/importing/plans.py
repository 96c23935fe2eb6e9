"""What of several files a run does not hold yet, and how it is added.

The files are read twice: once to see what they bring, before anything is stored, and once to
store it.
"""

from typing import NamedTuple

from msgspec.structs import replace

from wellworn.readers import FileReading, Item, Layout, Reading
from wellworn.readers.agreement import check_origin
from wellworn.readers.quality import GREEDY, Quality, looks_greedy
from wellworn.readers.repeats import Keys, Repeats, judged, key_of
from wellworn.records import Generation, Prompt
from wellworn.store import Store


class Plan(NamedTuple):
    """What of several files is to be added."""

    prompts: dict[str, Prompt]
    skip: dict[FileReading, dict[str, frozenset[int]]]
    """By file and prompt: which of its completions the run holds by then."""
    notes: list[str]
    kept: Quality
    """What is added is like."""
    generation: Generation


def planned(store: Store, reading: Reading, layout: Layout | None, repeats: Repeats) -> Plan:
    """Read the files once to see what they bring."""
    prompts: dict[str, Prompt] = {}
    brought: dict[FileReading, Keys] = {}
    quality = Quality()
    for file in reading.files:
        keys = brought.setdefault(file, {})
        for item in file:
            quality.see(item)
            prompts.setdefault(item.prompt.id, item.prompt)
            keys.setdefault(item.prompt.id, []).extend(map(key_of, item.completions))
    notes, generation = [], reading.generation
    if looks_greedy(quality, generation, layout):
        notes.append(GREEDY)
        generation = replace(generation, temperature=0.0)
    plan = Plan(prompts, {}, notes, Quality(), generation)
    held = {
        record.prompt.id: [key_of(completion) for completion in record.completions("sample")]
        for record in store.records(generation)
        if record.prompt.id in prompts
    }
    _judge(store, plan, held, brought, repeats)
    return plan


def _judge(
    store: Store, plan: Plan, held: Keys, brought: dict[FileReading, Keys], repeats: Repeats
) -> None:
    """Note what of each file is held by then; add the rest to `held`."""
    shown = {prompt_id: prompt.shown for prompt_id, prompt in plan.prompts.items()}
    origins: list[str | None] = store.meta("origins") or ([None] if any(held.values()) else [])
    for file, keys in brought.items():
        apart = file.origin is not None and None not in origins and file.origin not in origins
        how = "count" if apart and repeats == "auto" else repeats
        found = judged(held, keys, str(file.path), shown, how)
        if file.origin in origins and file.origin is not None and repeats == "auto":
            check_origin(held, keys, found, file.origin, str(file.path))
        plan.skip[file] = found.skip
        plan.notes.extend(filter(None, [None if apart else found.note]))
        for prompt_id, more in keys.items():
            skip = found.skip.get(prompt_id, frozenset())
            held.setdefault(prompt_id, []).extend(k for n, k in enumerate(more) if n not in skip)
        origins.append(file.origin)
    store.set_meta("origins", origins)


def take(store: Store, plan: Plan, file: FileReading) -> int:
    """Store what a file adds; return how many completions that was."""
    begin: dict[str, int] = {}
    """By prompt: the first number that the run did not hold before this file."""
    taken: dict[str, set[int]] = {}
    seen: dict[str, int] = {}
    count = 0
    for item in file:
        prompt_id = item.prompt.id
        if prompt_id not in begin:
            held = store.indices(prompt_id, "sample", plan.generation)
            begin[prompt_id] = max(held, default=-1) + 1
        skip = plan.skip[file].get(prompt_id, frozenset())
        first = seen.get(prompt_id, 0)
        seen[prompt_id] = first + len(item.completions)
        new = [c for n, c in enumerate(item.completions, first) if n not in skip]
        plan.kept.see(item._replace(completions=tuple(new)))
        places = _places(item, begin[prompt_id], taken.setdefault(prompt_id, set()), len(new))
        store.add(
            (prompt_id, "sample", replace(completion, index=index, generation=plan.generation))
            for index, completion in zip(places, new, strict=True)
        )
        count += len(new)
    return count


def _places(item: Item, begin: int, taken: set[int], count: int) -> list[int]:
    """Return the numbers that an item's completions get: as the log has them, if those are free."""
    start = begin + (len(taken) if item.position is None else item.position)
    wanted = range(start, start + count)
    if not taken.isdisjoint(wanted):
        following = max(taken) + 1
        wanted = range(following, following + count)
    taken.update(wanted)
    return list(wanted)
