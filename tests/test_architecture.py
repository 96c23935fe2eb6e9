"""The shape of the package: who may import whom, what is light, what is public, how long."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from time import perf_counter

import pytest

import wellworn

SOURCE = Path(wellworn.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}

ORDER = (
    "errors",
    "records",
    "tables",
    # measuring
    "distance",
    "verifiers",
    "probes",
    "detectors",
    # the flow
    "backends",
    "prompts",
    "readers",
    "store",
    "sampler",
    "threads",
    "scoring",
    "statistics",
    "analysis",
    "report",
    "labels",
    "members",
    "exporting",
    "importing",
    "pipeline",
    "judging",
    "interchange",
    "audits",
    "comparing",
    "evaluating",
    "analysing",
    "ablating",
    # its two faces
    "api",
    "wellworn",
    "lab",
    "demo",
    "benchmark",
    "cli",
    "__main__",
)
"""Modules and packages; each imports only what stands before it, or lies within it.

`wellworn` is the package itself: the names that `wellworn/__init__.py` offers.
"""


def part_of(module):
    """Return which entry of `ORDER` a module belongs to.

    >>> part_of("wellworn.backends.openai"), part_of("wellworn")
    ('backends', 'wellworn')
    """
    return module.split(".")[1] if "." in module else module


def module_of(file):
    parts = ("wellworn", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def mentioned(tree):
    """Return all modules that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno}: imports are absolute"
            from_root = node.module == "wellworn"
            found |= {f"wellworn.{a.name}" if from_root else node.module for a in node.names}
    return found


def imported(tree):
    """Return the modules of ours among them."""
    return {name for name in mentioned(tree) if name.split(".")[0] == "wellworn"}


def against_the_flow(importer, names):
    """Return what a module imports although it comes later in the flow."""
    place = ORDER.index(part_of(importer))
    return {name for name in names if ORDER.index(part_of(name)) > place}


IMPORTS = {module_of(file): imported(tree) for file, tree in TREES.items()}


def test_every_module_has_its_place_in_the_flow():
    assert sorted({part_of(module) for module in IMPORTS}) == sorted(ORDER)


@pytest.mark.parametrize("module", IMPORTS)
def test_imports_go_down_the_flow_only(module):
    assert not against_the_flow(module, IMPORTS[module])


def test_that_check_sees_an_import_against_the_flow():
    tree = ast.parse(
        "def f():\n    from wellworn.cli.console import stderr\nimport wellworn.errors"
    )
    assert against_the_flow("wellworn.store", imported(tree)) == {"wellworn.cli.console"}
    assert imported(ast.parse("from wellworn import score")) == {"wellworn.score"}


def test_detectors_never_see_what_labels_live_in():
    for module, names in IMPORTS.items():
        if part_of(module) in ("detectors", "distance", "probes", "scoring"):
            assert {"statistics", "report", "store"}.isdisjoint(map(part_of, names))


def test_only_the_command_line_knows_the_lab_and_the_demo():
    for module, names in IMPORTS.items():
        if part_of(module) not in ("lab", "demo", "cli"):
            assert {"lab", "demo"}.isdisjoint(map(part_of, names)), module


def test_types_are_checked_alike_whether_or_not_the_packages_of_extras_are_there():
    """What may be missing is skipped by name, or the check passes on one machine alone."""
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    always = {re.split("[^a-z0-9-]", need)[0] for need in project["project"]["dependencies"]}
    always |= {"markupsafe", "sklearn", "vl_convert", *sys.stdlib_module_names}
    skipped = {
        name.removesuffix(".*") for name in project["tool"]["mypy"]["overrides"][0]["module"]
    }
    used = {name.split(".")[0] for tree in TREES.values() for name in mentioned(tree)}
    assert used - always - {"wellworn"} <= skipped


HEAVY = {
    *("torch", "transformers", "openai", "xllamacpp", "datasets", "httpx"),
    *("sklearn", "scipy", "pandas", "polars", "pyarrow", "altair", "vl_convert"),
}
"""Packages that nothing may load before it is used."""
USED = {"numpy", "rapidfuzz", "msgspec", "rich", "cyclopts"}
"""Packages that the interface or the command line needs, but `import wellworn` does not."""


def loaded(code):
    """Return the packages that a fresh interpreter holds after it ran the code."""
    script = f"{code}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_importing_wellworn_loads_nothing_heavy():
    assert loaded("import wellworn").isdisjoint(HEAVY | USED)


def test_using_every_public_name_loads_no_model_library_and_no_server_client():
    assert loaded("from wellworn import *").isdisjoint(HEAVY)


def test_the_command_line_starts_without_them():
    assert loaded("from wellworn.cli import app").isdisjoint(HEAVY | {"numpy", "rapidfuzz"})


def test_that_check_sees_a_heavy_package():
    assert "numpy" in loaded("import wellworn, numpy")
    assert "scipy" in loaded("import wellworn, scipy.stats")


def best_of_five(*command):
    """Return the shortest wall-clock seconds of five runs; others may be using the machine."""
    seconds = []
    for _ in range(5):
        start = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(perf_counter() - start)
    return min(seconds)


def test_import_takes_under_300_milliseconds():
    assert best_of_five(sys.executable, "-c", "import wellworn") < 0.3


def test_help_answers_in_under_half_a_second():
    assert best_of_five(sys.executable, "-m", "wellworn", "--help") < 0.5


HOMES = {name: module for module, names in wellworn._HOMES.items() for name in names}


def test_the_public_names_are_sorted_and_each_has_one_home():
    assert wellworn.__all__ == sorted(HOMES)
    assert len(HOMES) == sum(map(len, wellworn._HOMES.values()))


@pytest.mark.parametrize("name", wellworn.__all__)
def test_every_public_name_resolves(name):
    assert getattr(wellworn, name).__module__.startswith("wellworn.")
    assert getattr(wellworn, name).__doc__


def test_type_checkers_see_the_same_names_from_the_same_homes():
    [guarded] = [node for node in TREES[SOURCE / "__init__.py"].body if isinstance(node, ast.If)]
    seen = {alias.name: node.module for node in guarded.body for alias in node.names}
    assert seen == HOMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'wellworn' has no attribute 'prove'$"):
        wellworn.prove  # noqa: B018


MOST_LINES_OF_A_FILE = 260
MOST_LINES_OF_A_FUNCTION = 45
NAMES_OF_JUNK_DRAWERS = {"util", "utils", "helper", "helpers", "manager", "misc", "common"}


def too_long(tree, most):
    """Return the functions of a file that have more lines, with how many."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = [(node.name, node.end_lineno - node.lineno + 1) for node in found]
    return [(name, length) for name, length in lengths if length > most]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_files_and_functions_are_short(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_FILE
    assert not too_long(TREES[file], MOST_LINES_OF_A_FUNCTION)


def test_that_check_sees_a_long_function():
    tree = ast.parse("class A:\n    def f(self):\n" + "        pass\n" * 45)
    assert too_long(tree, 45) == [("f", 46)]
    assert too_long(tree, 46) == []


def test_there_is_no_junk_drawer():
    names = {part for file in FILES for part in file.relative_to(SOURCE).with_suffix("").parts}
    assert names.isdisjoint(NAMES_OF_JUNK_DRAWERS)
