"""The report as Markdown, for a pull request or a note: the verdict, and what led to it.

Prompts and notes are strangers' text, read as it stands: prompts are code, in which nothing is
markup; elsewhere what Markdown or HTML takes for markup is escaped, and an invisible joiner parts
what would become a mention, a reference to an issue or a link.
"""

import re
from collections.abc import Iterator, Sequence

from wellworn.report.page.contents import Contents
from wellworn.report.page.sets import facts_of
from wellworn.report.page.words import digits, grouped, in_pairs, what_it_sees
from wellworn.report.sides import Item, common_start
from wellworn.report.terminal import LEAST_COMMON
from wellworn.tables.values import without_surrogates

LISTED = 10
"""Suspects that are listed, those with the highest scores."""
_SHOWN = 100
_MARKS = re.compile(r"([\\`*_\[\]<>|~$&])")
_FIRST = re.compile(r"^(\d*)([-+.)])")
_LINKS = re.compile(r"(@|#|:(?=//)|www(?=\.))", re.IGNORECASE)
_JOINER = "\N{WORD JOINER}"


def to_markdown(contents: Contents) -> str:
    """Return the report as Markdown, without completions."""
    verdict = contents.verdict
    parts = [
        f"# {verdict.level.capitalize()}",
        f"**{escaped(verdict.sentence)}**",
        "\n".join(f"- {escaped(reason)}" for reason in verdict.reasons),
        *_comparison(contents),
        _sets(contents),
        *_estimates(contents),
        *_suspects(contents),
        *_notes(contents),
        f"Made by wellworn {contents.wellworn} on {contents.created[:10]} with "
        f"{escaped(contents.detector)} ({escaped(contents.paper)}). Again: "
        f"{code(contents.command)}",
    ]
    return without_surrogates("\n\n".join(part for part in parts if part) + "\n")


def escaped(text: str) -> str:
    r"""Return a text in one line that Markdown shows as it stands.

    >>> print(escaped("a|b <script>\n![x](y)"), escaped("1. *"))
    a\|b \<script\> !\[x\](y) 1\. \*
    """
    marked = _MARKS.sub(r"\\\1", " ".join(text.split()))
    return _LINKS.sub(rf"\1{_JOINER}", _FIRST.sub(r"\1\\\2", marked))


def code(text: str) -> str:
    """Return a text in one line as code.

    >>> code("a ` @all")
    '`` a ` @all ``'
    """
    line = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}"


def _comparison(contents: Contents) -> Iterator[str]:
    found = contents.comparison
    if found:
        yield (
            f"AUC {found.auc:.2f}, 95 % interval {found.low:.2f} to {found.high:.2f}, one-sided "
            f"p = {digits(found.p)}. {in_pairs(found)}"
        )
        yield what_it_sees(contents)


def _sets(contents: Contents) -> str:
    facts = facts_of(contents)
    return _table(["", *facts.sets], [[label, *cells] for label, cells in facts.rows])


def _estimates(contents: Contents) -> Iterator[str]:
    rows = [
        [
            escaped(each.name),
            group.words,
            f"{each.auc:.2f}",
            f"{each.low:.2f} to {each.high:.2f}",
            "" if each.p is None else digits(each.p),
        ]
        for group in grouped(contents.estimates)
        for each in group.estimates
    ]
    if rows:
        yield "## What else tells the sets apart"
        yield _table(["estimate", "of", "AUC", "95 % interval", "p"], rows)


def _suspects(contents: Contents) -> Iterator[str]:
    scored = [i for i in contents.items if i.set == "suspects" and i.compared]
    highest = sorted(scored, key=lambda item: -(item.score or 0.0))[:LISTED]
    if highest:
        judged = any(item.q is not None for item in highest)
        yield f"## The {len(highest)} suspects with the highest scores"
        heads = ["score", *(["q"] if judged else []), "prompt"]
        start = common_start([item.prompt for item in contents.items], LEAST_COMMON)
        yield _table(heads, [_suspect(item, judged, start) for item in highest])


def _suspect(item: Item, judged: bool, start: int) -> list[str]:
    text = item.prompt[start:]
    prompt = code(text[:_SHOWN] + ("…" if len(text) > _SHOWN else ""))
    q = ["" if item.q is None else digits(item.q)] if judged else []
    return [f"{item.score:.3f}", *q, re.sub(r"(\\?)\|", rf"\1{_JOINER}\\|", prompt)]


def _notes(contents: Contents) -> Iterator[str]:
    if contents.notes:
        yield "## Notes"
        yield "\n".join(f"- {escaped(note)}" for note in contents.notes)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
