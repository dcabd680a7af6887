"""The game stands alone: no Django, nothing outside the standard library, nothing of the site."""

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


def test_importing_all_of_the_game_loads_no_django_in_a_fresh_interpreter():
    script = (
        "import importlib, sys\n"
        f"for name in {MODULES!r}: importlib.import_module(name)\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "print(*sorted(roots - set(sys.stdlib_module_names) - {'__main__'}))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["cvarenta"]


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
            assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith("cvarenta.game")


@pytest.mark.parametrize("file", FILES, ids=MODULES)
def test_a_module_asks_no_clock_and_no_global_chance(file):
    imported = {
        alias.name
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert not imported & {"random", "secrets", "time", "datetime", "os"}
