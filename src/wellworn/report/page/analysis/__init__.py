"""The page of an analysis: curves over the runs, and what the paths of some prompts look like.

It is laid out as an audit's page is; see `wellworn.report.page`. It needs no script at all, so its
policy admits none. Prompts and completions are escaped, and cut where they are long.
"""

from collections.abc import Sequence

from wellworn.analysis.results import Analysis
from wellworn.report.page.analysis.examples import Example, example_of, example_prompts
from wellworn.report.page.analysis.rendering import rendered

__all__ = ["Example", "analysis_page", "example_of", "example_prompts"]


def analysis_page(analysis: Analysis, command: str, examples: Sequence[Example] = ()) -> str:
    """Return the page of an analysis as HTML, free of lone surrogates.

    Args:
        analysis: What it shows.
        command: The command that makes it again.
        examples: Prompts whose completions are shown, as `example_of` makes them.
    """
    return rendered(analysis, command, examples)
