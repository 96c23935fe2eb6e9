"""Runs that the tests of ablations vary, made by hand."""

from msgspec.structs import replace

from wellworn.records import Completion, Generation, chat
from wellworn.store import Store

SETTING = Generation(model="openai/m", temperature=0.7, top_p=0.95, max_tokens=64)

FOUR = {
    "worn": ("aaaa", "aaaa", "bbbb", "cccc"),  # nearest distances 0, 0, 1, 1
    "near": ("aaaa", "aaab", "aabb", "abbb"),  # all 1/4
    "fresh": ("aaaa", "aabb", "cccc", "ccdd"),  # all 1/2
    "pair": ("aaaa", "aaab", "cccc", "dddd"),  # 1/4, 1/4, 1, 1
}
"""Four prompts and their samples; the first two are members."""

LABELS = {chat(name).id: name in ("worn", "near") for name in FOUR}


def run(folder, answers=FOUR, setting=SETTING, *, gold=None, **fields):
    """Return a new run that holds these samples; further fields are those of a completion."""
    store = Store(folder, create=True)
    store.put_set("suspects", [replace(chat(name), answer=gold) for name in answers])
    store.use(setting)
    add(store, answers, setting, **fields)
    return store


def add(store, answers, setting, **fields):
    """Add samples of a setting to a run."""
    store.add(
        (chat(name).id, "sample", Completion(text=text, index=i, generation=setting, **fields))
        for name, texts in answers.items()
        for i, text in enumerate(texts)
    )
    store.use(setting)
