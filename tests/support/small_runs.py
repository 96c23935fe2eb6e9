"""Runs made by hand: numbered prompts with given samples."""

from wellworn.records import Completion, Generation, chat
from wellworn.store import Store


def run(folder, texts, references=(), **parameters):
    """Return a run whose prompts, numbered, have these samples."""
    generation = Generation(**{"model": folder.name, "temperature": 0.7, **parameters})
    with Store(folder, create=True) as store:
        store.use(generation)
        for name, members in (("suspects", texts), ("references", references)):
            prompts = [chat(f"{name[:3]} {number:02}") for number in range(len(members))]
            store.put_set(name, prompts)
            store.add(
                (prompt.id, "sample", Completion(text=text, index=i, generation=generation))
                for prompt, samples in zip(prompts, members, strict=True)
                for i, text in enumerate(samples)
            )
    return folder
