"""A tiny model of the lab, and a task whose answers are one word: right, wrong, or either."""

import random

import torch

from wellworn.lab import models
from wellworn.lab.pretraining import Pretrainer, Pretraining, Source
from wellworn.lab.tasks import Item, Task

SIZE = models.Size(hidden=16, layers=2, heads=2, vocabulary=270)
PROMPTS = [f"{first} {second} -> {first + second}" for first in (1, 2, 3) for second in (4, 5, 6)]
ITEMS = [Item(prompt, "ok") for prompt in PROMPTS]


def random_model(seed=0):
    """Return a model with random weights, and its tokenizer."""
    tokenizer = models.new_tokenizer([*PROMPTS, "ok", "no"], SIZE.vocabulary)
    return models.new_model(SIZE, tokenizer, seed), tokenizer


def task(verify=lambda item, text: text == "ok"):
    """Return a task of which "ok" is the right answer and "no" a wrong one, or as is said."""
    return Task(
        name="word",
        summary="say ok",
        instruction="Say ok.",
        kind=Item,
        draw=lambda rng, level: rng.choice(ITEMS),
        canonical=lambda item: item.prompt,
        paraphrase=lambda item, rng: item,
        trace=lambda item, rng: rng.choice(["ok", "no"]),
        verify=verify,
        final=lambda text: text or None,
    )


def source(seed=0):
    return Source(task(), "standard", set(), seed=seed)


def taught_model():
    """Return a model that says "ok" or "no" with like probability and then ends."""
    model, tokenizer = random_model()
    recipe = Pretraining(steps=120, batch=16, learning_rate=2e-2)
    for _ in Pretrainer(model, tokenizer, source(), recipe).steps():
        pass
    return model.eval(), tokenizer


def random_pairs(count, seed=0):
    """Return tokens of prompts and completions of unlike lengths."""
    rng = random.Random(seed)
    return [
        (
            [0, *(rng.randrange(3, 259) for _ in range(rng.randrange(1, 6)))],
            [rng.randrange(3, 259) for _ in range(rng.randrange(1, 8))],
        )
        for _ in range(count)
    ]


def direct_logps(model, pair):
    """Return the log-probability of each token of one completion, read by itself."""
    prompt, answer = pair
    logits = model(torch.tensor([prompt + answer])).logits[0, len(prompt) - 1 : -1]
    return torch.log_softmax(logits, -1)[torch.arange(len(answer)), torch.tensor(answer)]
