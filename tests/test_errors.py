"""The tree of errors, and the message for a name that is not known."""

import re

import pytest

from wellworn import errors
from wellworn.errors import BackendError, BadInput, Refused, Unreachable, Unscorable, WellwornError


def test_what_a_user_can_mend_has_one_base():
    assert issubclass(BadInput, WellwornError)
    assert issubclass(BadInput, ValueError)
    assert issubclass(BackendError, WellwornError)
    assert issubclass(Refused, BackendError)
    assert issubclass(Unreachable, BackendError)


def test_an_unscorable_record_is_data_and_stops_no_run():
    assert not issubclass(Unscorable, WellwornError)


def test_the_docstring_draws_the_tree_that_is_there():
    drawn, path = {}, []
    for indent, name in re.findall(r"^    ( *)([A-Z]\w+)  +\w", errors.__doc__, re.MULTILINE):
        path[len(indent) // 2 :] = [name]
        drawn[name] = path[-2] if len(path) > 1 else None
    classes = {name: found for name, found in vars(errors).items() if isinstance(found, type)}
    own = {name for name, found in classes.items() if found.__module__ == errors.__name__}
    parents = {name: classes[name].__bases__[0].__name__ for name in own}
    assert drawn == {name: parent if parent in own else None for name, parent in parents.items()}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("min-kn", "unknown thing 'min-kn'. Did you mean 'min-knn'?\nKnown: cdd, min-knn."),
        ("cd", "unknown thing 'cd'. Did you mean 'cdd'?\nKnown: cdd, min-knn."),
        ("perplexity", "unknown thing 'perplexity'.\nKnown: cdd, min-knn."),
        ("", "unknown thing ''.\nKnown: cdd, min-knn."),
    ],
)
def test_an_unknown_name_is_met_with_the_nearest_one_and_all_known_ones(name, message):
    assert errors.unknown("thing", name, iter(["min-knn", "cdd"])) == message
