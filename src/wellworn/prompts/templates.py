"""Prompts made of several columns, as in "Q: {question} Answer in one word."."""

from string import Formatter

from wellworn.errors import BadInput
from wellworn.tables.formats import Row, bad_row
from wellworn.tables.values import describe, value_at


class Template:
    r"""Literal text around the names of columns in braces; doubled braces are literal.

    A backslash and an n are a line break, since few shells let one be typed.

    >>> Template("{{{n}}} + {n} = ?").fill(Row("a.jsonl:1", {"n": 2}))
    '{2} + 2 = ?'
    """

    def __init__(self, text: str) -> None:
        """Read the template `text`.

        Raises:
            BadInput: A brace stands alone, or no column is named.
        """
        try:
            self._parts = [
                (literal, None if name is None else _column(name, spec, conversion))
                for literal, name, spec, conversion in Formatter().parse(text.replace("\\n", "\n"))
            ]
        except ValueError as error:
            raise BadInput(
                f"--template {text!r} cannot be read: {error}.\n"
                f"Write {{name}} for a column, {{{{ and }}}} for braces."
            ) from None
        self.columns = [column for _, column in self._parts if column is not None]
        """The columns that it takes, in order."""
        if not self.columns:
            raise BadInput(
                f"--template {text!r} names no column, so every prompt would be the same.\n"
                f"Write {{name}} for a column."
            )

    def fill(self, row: Row) -> str:
        """Return the text that a row makes.

        Raises:
            BadInput: A column is missing, or is neither a text nor a number.
        """
        return "".join(
            literal + ("" if column is None else _cell(row, column))
            for literal, column in self._parts
        )


def _column(name: str, spec: str | None, conversion: str | None) -> str:
    """Return all that stands between two braces: a column's name may hold : and !."""
    return name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")


def _cell(row: Row, column: str) -> str:
    value = value_at(row.fields, column)
    if value is None:
        raise bad_row(row.place, f"'{column}' is missing, and the template takes it")
    if isinstance(value, (list, dict)):
        fact = f"'{column}' is {describe(value)}; a template takes texts and numbers"
        raise bad_row(row.place, fact)
    return str(value)
