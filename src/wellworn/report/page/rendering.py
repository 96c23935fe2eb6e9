"""The markup of the page, from its templates, its style and its scripts."""

import hashlib
from base64 import b64encode
from importlib.resources import files
from typing import Any

from wellworn.report.page.blocks import packed
from wellworn.report.page.contents import Contents
from wellworn.report.page.details import COMPLETIONS, TEXT
from wellworn.report.page.figures import figures_of
from wellworn.report.page.likeness import CUT
from wellworn.report.page.sets import facts_of, losses_of
from wellworn.report.page.table import columns_of, table_of
from wellworn.report.page.words import (
    PLAIN,
    by_chance,
    digits,
    grouped,
    in_pairs,
    share,
    what_it_sees,
)
from wellworn.statistics.evidence import ALLOWED
from wellworn.statistics.verdict import LEVELS
from wellworn.tables.values import counted, without_surrogates

_SCRIPTS = ("elements.js", "words.js", "item.js", "table.js", "main.js")


def rendered(contents: Contents, details: dict[int, str]) -> str:
    """Return the page as HTML.

    Args:
        contents: What it shows.
        details: The packed details of prompts, by their place in the table.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("wellworn.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"p": digits, "counted": counted, "share": share}
    style = _asset("page.css")
    script = f'(() => {{\n"use strict";\n{"".join(map(_asset, _SCRIPTS))}}})();\n'
    columns = columns_of(contents)
    html = environment.get_template("page.html").render(
        audit=contents,
        policy=_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        figures=[figure._replace(svg=Markup(figure.svg)) for figure in figures_of(contents)],
        columns=columns,
        table=packed(table_of(contents, columns)),
        details=details,
        facts=facts_of(contents),
        losses=losses_of(contents),
        words=_words(contents),
        limits={"text": TEXT, "completions": COMPLETIONS, "cut": CUT},
    )
    return without_surrogates(html)


def _words(contents: Contents) -> dict[str, Any]:
    """Return the sentences of the page that depend on the numbers."""
    comparison = contents.comparison
    compared = (
        {
            "in_pairs": in_pairs(comparison),
            "by_chance": by_chance(comparison),
            "sees": what_it_sees(contents),
        }
        if comparison
        else None
    )
    return {
        "levels": LEVELS,
        "plain": PLAIN[contents.verdict.level],
        "compared": compared,
        "kinds": grouped(contents.estimates),
        "allowance": any(each.name.endswith(ALLOWED) for each in contents.estimates),
    }


def _asset(name: str) -> str:
    return (files("wellworn.report.page") / "templates" / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    """Return a content security policy that admits these two texts, and nothing else."""
    rules = {
        "default-src": "'none'",
        "script-src": _digest(script),
        "style-src": _digest(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
