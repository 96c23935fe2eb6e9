"""Every error that this package raises on purpose.

    WellwornError        the user can mend it; the CLI prints it without a traceback
      BadInput           a file, a row, an option or a run is not what was asked for
        NoRows           a file is whole, and holds no rows
      BackendError       a model or its server did not answer as it should
        Refused          the server will not take this request as it is
          TooLong        it does not fit into the model's context
          Unable         it will take no such request at all
        Unreachable      nothing answered at all, after every retry
    Unscorable           one record has no score; kept as data, and the run goes on

Anything else that escapes is a bug, and keeps its traceback.

A message has three parts: the place, the fact with both values, the way out.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class WellwornError(Exception):
    """The base of all errors that a user can mend."""


class BadInput(WellwornError, ValueError):
    """A file, a row, an option or a run is not what was asked for."""


class NoRows(BadInput):
    """A file is whole, and holds no rows."""


class BackendError(WellwornError):
    """A model or its server did not answer as it should."""


class Refused(BackendError):
    """The server will not take this request as it is."""


class TooLong(Refused):
    """Requests do not fit into the model's context."""

    def __init__(self, message: str, positions: Iterable[int] = (0,)) -> None:
        super().__init__(message)
        self.positions = tuple(positions)
        """Which ones, by their positions in the call."""


class Unable(Refused):
    """The model or its server cannot do what is asked, whatever the prompt."""


class Unreachable(BackendError):
    """Nothing answered at all, after every retry."""


class Unscorable(Exception):
    """One record cannot be scored, for the reason that the message gives."""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return a message for a `name` that is not among the `known` ones.

    >>> print(unknown("detector", "min-kn", ["min-knn", "cdd"]))
    unknown detector 'min-kn'. Did you mean 'min-knn'?
    Known: cdd, min-knn.
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return f"unknown {kind} '{name}'.{hint}\nKnown: {', '.join(names)}."
