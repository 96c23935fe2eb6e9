"""How often does the verdict accuse where nobody trained, and how often does it see who did?

    nice python benchmarks/calibration.py [--audits 2000] [--only easier] [--real FOLDER] [-o FILE]

Audits are simulated (tests/support/simulated_audits.py says how) and judged by the package
itself. With `--real`, the folder of a real RL run none of whose prompts was trained on
(tests/support/real_ladder.py), its prompts are also divided at random into suspects and
references, easier ones the more probably suspects: by what they were at the other checkpoints,
their pass rates or, harder, their very scores.

For each cell the table gives the share of audits in which the detector alone separates the
sets, in which one plain regression says so too, and which reach the upper levels; with the
standard error of the share. None of 2,000 is below 0.15 % with 95 % confidence, of 500 below 0.6 %.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from math import sqrt
from pathlib import Path
from time import process_time
from typing import Any
from zlib import crc32

import numpy as np
from scipy.stats import norm

from wellworn.statistics import comparison
from wellworn.statistics.power import plan

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from real_ladder import CHECKPOINTS, Ladder
from simulated_audits import UPPER, Audit, Cell, judged, simulate

RESAMPLES = 500
"""Bootstrap resamples of an audit's own interval; fewer than an audit has, for speed."""


def planned(n: int) -> dict[str, float]:
    """Return the exposure that `plan` says is claimed in 80 % of audits."""
    return {"exposure": sqrt(2) * norm.ppf(plan(n, n).power.claim)}


HARD = {"solved": -4.5, "follows": 0.15, "noise": 1.3}
"""A base model that solves almost nothing, and whose convergence says little of ease."""

FLOOR = HARD | {"solved": -7.0, "samples": 32}
MIDDLING = {"shape": "middling", "solved": 0.0, "samples": 32}
"""RL moves prompts of middling difficulty most, trained on or not."""
FEW = MIDDLING | {"samples": 8}
RARELY_READ = {"odd": 0.04, "samples": 32, "follows": 0.15}
"""A base model whose answers are rarely read, for no reason of ease."""

NULL = [
    Cell("equal sets"),
    Cell("equal sets, small", 8, 8),
    Cell("equal sets, large", 150, 150),
    *(
        Cell(f"easier by {easier}, {n1} against {n2}", n1, n2, easier)
        for easier in (0.5, 1.0)
        for n1, n2 in ((15, 15), (30, 30), (83, 30), (150, 150))
    ),
    Cell("easier by 1.0, 300 against 300", 300, 300, 1.0),
    Cell("easier by 0.5, saturating", 100, 100, 0.5, shape="saturating"),
    Cell("easier by 0.5, late", 100, 100, 0.5, shape="late", solved=-3.0),
    Cell("easier by 0.5, hinged", 100, 100, 0.5, shape="hinged"),
    Cell("easier by 0.5, noisy measures", 150, 150, 0.5, noise=1.8),
    Cell("easier by 0.5, base near the floor", 150, 150, 0.5, **HARD),
    Cell("easier by 1.0, base near the floor", 150, 150, 1.0, **HARD),
    Cell("easier by 1.0, the same, 32 samples", 150, 150, 1.0, samples=32, **HARD),
    Cell("easier by 0.5, control not scored", 150, 150, 0.5, base=False),
    *(
        Cell(f"middling, 100 against 100, {name}", 100, 100, spread=spread, **(MIDDLING | more))
        for name, spread, more in (
            ("0.4 against 1.4", (0.4, 1.4), {}),
            ("0.7 against 1.4", (0.7, 1.4), {}),
            ("0.7 against 1.0", (0.7, 1.0), {}),
            ("0.7 against 1.0, 8 samples", (0.7, 1.0), {"samples": 8}),
            ("0.4 against 1.4, 8 samples", (0.4, 1.4), {"samples": 8}),
            ("0.4 against 1.4, harder by 0.3", (0.4, 1.4), {"easier": -0.3}),
        )
    ),
    Cell(
        "middling, 300 against 300, 0.5 against 1.0, 8 samples", 300, 300, spread=(0.5, 1.0), **FEW
    ),
    Cell(
        "middling, 300 against 300, 0.7 against 1.0, 8 samples",
        300,
        300,
        spread=(0.7, 1.0),
        **(FEW | {"solved": -2.0}),
    ),
    Cell("middling, 30 against 30, 0.4 against 1.4", 30, 30, spread=(0.4, 1.4), **MIDDLING),
    *(
        Cell(f"easier by 0.8, base rarely read, {n} against {n}", n, n, 0.8, **RARELY_READ)
        for n in (30, 100)
    ),
    Cell("easier by 0.8, base read by chance", 100, 100, 0.8, **(RARELY_READ | {"odd": 0.6})),
    Cell("easier by 1.0, base at the floor", 150, 150, 1.0, **FLOOR),
    Cell("shorter answers", 100, 100, shorter=1.0),
    Cell("easier, but longer answers", 100, 100, 0.5, shorter=-0.75),
    Cell("shorter prompts", 100, 100, text=1.0),
    Cell("easier by 0.5, scores tied", 100, 100, 0.5, steps=6),
    Cell("easier by 0.5, 15 against 150", 15, 150, 0.5),
    Cell("easier by 0.5, clusters of 5", 75, 75, 0.5, clusters=5),
    Cell("clusters of 10", 80, 80, clusters=10),
    Cell("matched from a harder pool", 50, easier=0.5, pool=250),
    Cell("matched from a much harder pool", 50, easier=1.0, pool=500),
]
"""Audits in which nobody trained on anything."""

EXPOSED = {"exposure": sqrt(2) * norm.ppf(0.70)}

PLANTED = [
    *(
        Cell(f"AUC {auc:.2f}, {n} against {n}", n, n, exposure=sqrt(2) * norm.ppf(auc), samples=32)
        for n, aucs in ((30, (0.65, 0.70, 0.80)), (100, (0.55, 0.60, 0.65, 0.70)))
        for auc in aucs
    ),
    *(
        Cell(f"as much as is planned for, {n} against {n}", n, n, samples=32, **planned(n))
        for n in (15, 30, 50, 100)
    ),
    Cell("AUC 0.70, 50 against 50, 8 samples", **EXPOSED),
    Cell("the same, solved more often too", success=1.5, **EXPOSED),
    Cell("the same, suspects easier by 0.25", easier=0.25, **EXPOSED),
    Cell("the same, suspects easier by 0.5", easier=0.5, **EXPOSED),
    Cell("the same, suspects harder by 0.25", easier=-0.25, **EXPOSED),
    Cell("the same, clusters of 5", clusters=5, **EXPOSED),
    Cell("the same, matched from an easier pool", easier=-0.25, pool=250, **EXPOSED),
]
"""Audits of a model that trained on the suspects."""


Draw = Callable[[np.random.Generator], Audit]


def simulated(cells: list[Cell], only: str = "") -> dict[str, Draw]:
    """Return what draws an audit of each cell whose name has `only` in it."""
    return {cell.name: partial(simulate, cell) for cell in cells if only in cell.name}


def divided(ladder: Ladder, checkpoint: str, by: str, strength: int, generator: Any) -> Audit:
    """Return an audit of a real run's prompts, divided by ease."""
    return Audit(ladder.divided(checkpoint, by, strength, generator), ())


def real(folder: Path) -> dict[str, Draw]:
    """Return what draws an audit of a real run, for each way to divide its prompts."""
    ladder = Ladder(folder)
    return {
        f"{checkpoint}, by {by.replace('_', ' ')}, {strength}": partial(
            divided, ladder, checkpoint, by, strength
        )
        for checkpoint in CHECKPOINTS[1:]
        for by in ("pass_rate", "score")
        for strength in (1, 2, 3)
    }


def row(name: str, draw: Draw, audits: int) -> str:
    """Return a line of the table."""
    seed = crc32(name.encode())
    outcomes = [judged(draw(np.random.default_rng([seed, audit]))) for audit in range(audits)]
    shares = [
        np.mean([outcome.separated for outcome in outcomes]),
        np.mean([outcome.regression for outcome in outcomes]),
        np.mean([outcome.level >= UPPER for outcome in outcomes]),
        np.mean([outcome.level > UPPER for outcome in outcomes]),
    ]
    return f"| {' | '.join([name, *(_with_error(share, audits) for share in shares)])} |"


def _with_error(share: float, audits: int) -> str:
    """Return a share with its standard error, which nothing has none of."""
    return f"{share:.1%} ± {sqrt(share * (1 - share) / audits):.1%}" if share else "none"


def table(title: str, draws: dict[str, Draw], audits: int) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"\n**{title}** ({audits:,} audits a line)\n"
    yield "| audits | detector alone | one regression | upper levels | highest level |"
    yield "|---|---|---|---|---|"
    for name, draw in draws.items():
        yield row(name, draw, audits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=2_000, help="audits of each line")
    parser.add_argument("--real", type=Path, help="the folder of a real run, audited a quarter so")
    parser.add_argument("--only", default="", help="only simulated lines with this in their name")
    parser.add_argument("-o", "--output", type=Path, help="a file for the tables")
    options = parser.parse_args()
    comparison.RESAMPLES = RESAMPLES
    start = process_time()
    tables = [
        table("Nobody trained on anything", simulated(NULL, options.only), options.audits),
        table("Trained on the suspects", simulated(PLANTED, options.only), options.audits),
    ]
    if options.real:
        title = "A real run, trained on none of these prompts"
        tables.append(table(title, real(options.real), max(1, options.audits // 4)))
    lines = []
    for line in chain.from_iterable(tables):
        print(line, flush=True)
        lines.append(line)
    print(f"\n{process_time() - start:.0f} seconds of CPU time")
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
