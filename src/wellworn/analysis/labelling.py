"""What a language model calls n-grams, and how far it agrees with the rules.

The paper labelled with GPT-4o, by a prompt that is not published; this wording is ours. Each
n-gram is asked about alone, with its prompt. The rules' labels stay those that are counted: the
agreement (Cohen's kappa) says how much hangs on who labels. It means little below 200 n-grams.
"""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from wellworn.analysis.ngrams import CATEGORIES, Category, Gram
from wellworn.analysis.results import Agreement
from wellworn.backends import Backend, Request
from wellworn.errors import Refused
from wellworn.records import Generation, chat

ITEMS = 400
"""The most n-grams that are asked about."""
FEW = 200
"""Fewer answers than this are warned of."""
_SHOWN = 4_000
_TOKENS = 256
_SEED = 20_260_211

QUESTION = """\
Many answers to the same problem contain the same short phrase. Say what kind of phrase it is:

restatement: it repeats words or numbers of the problem itself
symbolic: it is a step of mathematics or logic, with symbols, numbers or variables
boilerplate: it is a connective or a set phrase that could stand in any answer
other: none of these

Problem:
{prompt}

Phrase: {phrase}

Reply with one word: restatement, symbolic, boilerplate or other."""

Ask = Callable[[str], str]
"""What a model says to a text."""


class Item(NamedTuple):
    """An n-gram, where it is from, and what the rules call it."""

    prompt: str
    gram: Gram
    category: Category


def asker(backend: Backend) -> Ask:
    """Return the function that asks a backend, greedily."""
    generation = Generation(model=backend.identity, temperature=0.0, top_p=1.0, max_tokens=_TOKENS)

    def ask(text: str) -> str:
        request = Request(prompt=chat(text), generation=generation, index=0, seed=_SEED)
        return backend.complete([request])[0].text

    return ask


def agreement(items: Sequence[Item], ask: Ask, model: str) -> Agreement:
    """Return how far a model's labels agree with those of the rules.

    Args:
        items: Of more than `ITEMS`, so many at random are asked about.
        ask: The model.
        model: Its name.

    Raises:
        BackendError: The model does not answer at all. A refusal is no answer.
    """
    from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

    asked = Random(_SEED).sample(list(items), min(ITEMS, len(items)))
    pairs = [(item.category, _label(item, ask)) for item in asked]
    known = [(rule, said) for rule, said in pairs if said]
    table: dict[str, dict[str, int]] = {
        rule: {said: known.count((rule, said)) for said in CATEGORIES} for rule in CATEGORIES
    }
    varied = len({label for pair in known for label in pair}) > 1
    return Agreement(
        model=model,
        asked=len(asked),
        answered=len(known),
        agreed=sum(rule == said for rule, said in known),
        kappa=float(cohen_kappa_score(*zip(*known, strict=True))) if varied else None,
        table=table,
    )


def _label(item: Item, ask: Ask) -> Category | None:
    question = QUESTION.format(prompt=item.prompt[:_SHOWN], phrase=" ".join(item.gram))
    try:
        return read(ask(question))
    except Refused:
        return None


def read(answer: str) -> Category | None:
    """Return the category that an answer names; None where it names none, or several.

    >>> read("Symbolic."), read("either symbolic or other"), read("I do not know")
    ('symbolic', None, None)
    >>> read("another **restatement**")
    'restatement'
    """
    words = re.findall(r"[a-z]+", answer.lower())
    named = [category for category in CATEGORIES if category in words]
    return named[0] if len(named) == 1 else None
