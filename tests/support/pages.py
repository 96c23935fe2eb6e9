"""Audits for the tests of the page: made up, but with the shape of real ones."""

import random
from datetime import UTC, datetime

import numpy as np

from wellworn.records import Completion, Counts, Generation, Record, chat
from wellworn.report.page import Balance, Contents, Finding
from wellworn.report.sides import Item, set_summary
from wellworn.statistics.comparison import compare
from wellworn.statistics.estimates import Estimate
from wellworn.statistics.verdict import Verdict, decide

GENERATION = Generation(model="openai/m", temperature=0.7, top_p=0.95, max_tokens=1024)
PARAMETERS = {
    "samples": 8,
    "k": 3,
    "unit": "char",
    "view": "full",
    "model": "openai/m",
    "temperature": 0.7,
    "top_p": 0.95,
    "max_tokens": 1024,
    "extra": {},
}
_THINGS = ("marbles", "train tickets", "pages", "apples", "chairs", "stamps", "tiles", "books")
_NAMES = ("Ada", "Bo", "Chen", "Dalia", "Emil", "Farah", "Goran", "Hana")
_STARTS = (
    "Let us define what we know.",
    "We begin with the total.",
    "First, translate the words into an equation.",
    "Work backwards from the end.",
)
_STEPS = (
    "The number of {thing} at the start is x.",
    "After giving some away, {name} has x minus {a} {thing}.",
    "So x - {a} = {b}, which means x = {c}.",
    "Doubling {b} gives {d}, and that must equal x plus a remainder.",
    "Check: {c} - {a} = {b}, as it should be.",
    "Another way to see this is to count the {thing} that are left.",
    "We can set up a table with one row for each day.",
    "Therefore the total is {c}.",
    "Subtracting {a} from both sides leaves {b}.",
    "This contradicts the assumption, so {name} must have kept more than {a}.",
)
VERDICT = Verdict(
    level="converged, not attributable",
    sentence="The suspects have converged more than the references; the cause is open.",
    reasons=(
        "Adjusted for the base model's score and pass rate and for length, chance is not "
        "excluded: 0.56, 95 % interval 0.44 to 0.68.",
        "The words of the prompts alone, which say nothing of the model, tell the sets apart "
        "at 0.71.",
        "So this is no finding of exposure.",
    ),
)
BALANCE = (
    Balance(name="base score", suspects=0.41, references=0.37, difference=0.31),
    Balance(name="base pass rate", suspects=0.46, references=0.21, difference=0.94),
    Balance(name="log prompt length", suspects=5.2, references=5.4, difference=-0.22),
)
FINDINGS = (
    Finding(
        name="Overlap",
        text="81 % of the suspects and 70 % of the references have counterparts in the other set.",
    ),
    Finding(name="Items", text="One suspect against 16 references can give no p below 0.059."),
)


def question(name, number):
    """Return a prompt of a set, the same for the same number."""
    draw = random.Random(f"{name} {number}")
    who, thing = draw.choice(_NAMES), draw.choice(_THINGS)
    a, b = draw.randint(3, 40), draw.randint(3, 60)
    return chat(
        f"{who} gave away {a} {thing} and has {b} left. How many {thing} did {who} have at the "
        f"start, and how many would twice the rest be? (no. {number})"
    )


def answers(name, number, spread, count=8):
    """Return completions of a question, along a few paths; the smaller `spread`, the fewer."""
    draw = random.Random(f"answers {name} {number}")
    words = {"thing": draw.choice(_THINGS), "name": draw.choice(_NAMES)}
    words |= {key: draw.randint(3, 60) for key in "abcd"}
    paths = [[draw.choice(_STARTS), *draw.sample(_STEPS, k=9)] for _ in range(count)]
    found = []
    for index in range(count):
        path = paths[0] if draw.random() > spread else draw.choice(paths)
        lines = [line for line in path if draw.random() > 0.08]
        text = "\n".join(line.format(**words) for line in lines)
        for plain, other in (("Therefore", "So"), ("must", "has to"), ("equal", "be"), ("x", "n")):
            text = text.replace(f"{plain} ", f"{other} ") if draw.random() < 0.4 else text
        text += f"\n\nThe answer is \\boxed{{{words['c']}}}."
        finish = "length" if draw.random() < 0.04 else "stop"
        found.append(
            Completion(text=text, finish_reason=finish, index=index, generation=GENERATION)
        )
    return tuple(found)


def records_of(suspects, references, count=8):
    """Yield the records of an audit, one at a time."""
    for name, number in (("suspects", suspects), ("references", references)):
        for place in range(number):
            draw = random.Random(f"spread {name} {place}")
            spread = draw.uniform(0.1, 0.9) + (0.15 if name == "references" else 0.0)
            samples = answers(name, place, spread, count)
            yield Record(prompt=question(name, place), probes={"sample": samples})


def rows_of(name, number, centre, *, full):
    """Return made-up rows of a set whose scores lie about a `centre`."""
    draw = np.random.default_rng(number if name == "suspects" else number + 1)
    scores = np.clip(draw.normal(centre, 0.12, number), 0.02, 0.98)
    rows = []
    for place, score in enumerate(scores.tolist()):
        missing = place % 29 == 28
        blank = place % 41 == 40
        base = float(np.clip(score - draw.normal(0.18 if name == "suspects" else 0.11, 0.06), 0, 1))
        p = float(draw.beta(0.5, 2.5)) if name == "suspects" else None
        more = {
            "error": float(draw.uniform(0.01, 0.05)),
            "p": None if missing else p,
            "q": None if missing or p is None else min(1.0, p * 1.6),
            "base_score": base,
            "pass_rate": float(draw.integers(0, 9)) / 8,
            "base_pass_rate": float(draw.integers(0, 5)) / 8,
            "others": {"distinct-share": float(draw.uniform(0, 1)), "cdd": None},
        }
        rows.append(
            Item(
                prompt_id=question(name, place).id,
                set=name,
                prompt=question(name, place).shown[:200],
                source=f"{name}.jsonl:{place + 1}",
                value=None if missing else 1 - score,
                score=None if missing else score,
                reason="a distance needs 2 completions; this prompt has 1" if missing else None,
                compared=not missing and not blank,
                counts=Counts(
                    completions=1 if missing else 8,
                    empty=2 if blank else 0,
                    distinct=1 if missing else 8,
                    truncated=int(draw.integers(0, 2)),
                ),
                **(more if full else {}),
            )
        )
    return rows


def estimates_of(comparison, n1, n2):
    """Return one estimate or two of each kind; none where there is no comparison."""
    if comparison is None:
        return ()
    named = (comparison.auc, comparison.low, comparison.high, comparison.p)
    given = [
        ("min-knn", "detector", *named, ""),
        ("distinct-share", "secondary", 0.66, 0.55, 0.76, 0.004, "Holm over 3 detectors"),
        ("prompt length", "blind", 0.58, 0.46, 0.70, None, ""),
        ("words of the prompt (TF-IDF)", "blind", 0.71, 0.60, 0.81, None, "cross-validated"),
        ("length of completions", "nuisance", 0.63, 0.51, 0.74, None, ""),
        (
            "base pass rate, base score, length (ANCOVA)",
            "adjusted",
            0.56,
            0.44,
            0.68,
            0.17,
            "suspects and references overlap in 81 % of their range",
        ),
        ("score, tuned less base", "difference", 0.61, 0.49, 0.72, 0.06, ""),
        ("prompts that were trained on", "known", 0.81, 0.66, 0.93, 0.001, ""),
        ("pass rate, tuned less base", "success", 0.52, 0.40, 0.64, 0.38, ""),
    ]
    return tuple(
        Estimate(
            name=name, kind=kind, auc=auc, low=low, high=high, p=p, note=note,
            suspects=n1, references=n2,
        )
        for name, kind, auc, low, high, p, note in given
    )  # fmt: skip


def contents(suspects=24, references=16, *, full=True, centres=(0.62, 0.52)):
    """Return what the page shows of a made-up audit of so many prompts.

    Args:
        suspects: How many.
        references: How many; none where it is 0.
        full: Whether there are controls, estimates and q-values.
        centres: Mean scores of suspects and of references.
    """
    items = rows_of("suspects", suspects, centres[0], full=full)
    items += rows_of("references", references, centres[1], full=full)
    sets = {name: set_summary(name, items, "full") for name in ("suspects", "references")}
    scores = [[item.score for item in items if item.set == name and item.compared] for name in sets]
    comparison = compare(*scores) if min(map(len, scores)) > 1 else None
    lacks = () if comparison else ("No reference set was given.",)
    return Contents(
        wellworn="0.1.0",
        created=datetime(2026, 3, 1, tzinfo=UTC).isoformat(),
        run="runs/step200",
        reference_run="runs/fresh",
        detector="min-knn",
        paper="arXiv 2602.11792",
        orientation="1 - value",
        parameters=PARAMETERS,
        verdict=VERDICT if full and comparison else decide(comparison, lacks),
        comparison=comparison,
        estimates=estimates_of(comparison, suspects, references) if full else (),
        balance=BALANCE if full else (),
        findings=FINDINGS if full else (),
        suspects=sets["suspects"],
        references=sets["references"] if references else None,
        notes=("3 prompts of the file were empty and were left out.",),
        items=tuple(items),
        control="openai/base" if full else None,
        command="wellworn audit --run runs/step200 --reference-run runs/fresh",
    )
