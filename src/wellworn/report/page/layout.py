"""What all pages share: the policy, the style, and a script that is all that may run."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from wellworn.report.page.details import COMPLETIONS, TEXT
from wellworn.report.page.figures import Figure
from wellworn.report.page.likeness import CUT
from wellworn.report.page.words import digits, share
from wellworn.tables.values import counted, without_surrogates


def laid_out(template: str, scripts: Sequence[str], figures: Sequence[Figure], **shown: Any) -> str:
    """Return a page as HTML, free of lone surrogates.

    Args:
        template: One that extends `layout.html`.
        scripts: Names of the scripts that make its own, in order.
        figures: Its charts; all else that is shown is escaped.
        shown: What the template reads.
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
    script = f'(() => {{\n"use strict";\n{"".join(map(_asset, scripts))}}})();\n'
    html = environment.get_template(template).render(
        policy=_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        figures=[figure._replace(svg=Markup(figure.svg)) for figure in figures],
        limits={"text": TEXT, "completions": COMPLETIONS, "cut": CUT},
        **shown,
    )
    return without_surrogates(html)


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
