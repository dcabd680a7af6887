"""The game stands alone: no Django, nothing outside the standard library but NumPy for the bots, nothing of the site."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "cvarenta" / "game").rglob("*.py"))
MODULES = [".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in FILES]


def test_the_modules_are_there():
    assert {
        "cvarenta.game.match",
        "cvarenta.game.record",
        "cvarenta.game.bots",
        "cvarenta.game.bots.greedy",
    } <= {*MODULES}


def loaded(modules, *options):
    """The packages outside the standard library that importing these modules loads in a fresh interpreter."""
    script = (
        "import importlib, sys\n"
        "before = {name.partition('.')[0] for name in sys.modules}\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "roots = {name.partition('.')[0] for name in sys.modules} - before\n"
        "print(*sorted(roots - set(sys.stdlib_module_names) - {'__main__'}))\n"
    )
    done = subprocess.run(
        [sys.executable, *options, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_the_rules_load_nothing_but_themselves_in_a_fresh_interpreter():
    assert loaded([name for name in MODULES if ".bots" not in name], "-S") == ["cvarenta"]


def test_the_bots_load_no_django_either():
    names = {name for name in loaded(MODULES) if not name.startswith(("_cython", "cython"))}  # NumPy's own
    assert "django" not in names
    assert names == {"cvarenta", "numpy"}


@pytest.mark.parametrize("file", FILES, ids=MODULES)
def test_a_module_imports_the_standard_library_and_the_game_only(file):
    depth = len(file.relative_to(ROOT / "cvarenta" / "game").parts)
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= depth, "an import from above the game"
            names = [] if node.level else [node.module]
        for name in names:
            root = name.partition(".")[0]
            assert root in sys.stdlib_module_names or root == "numpy" and file.parent.name == "bots"


@pytest.mark.parametrize("file", FILES, ids=MODULES)
def test_a_module_asks_no_clock_and_no_global_chance(file):
    imported = {
        alias.name
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert not imported & {"random", "secrets", "time", "datetime", "os"}
