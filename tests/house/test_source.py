"""Rules of the house that only the source itself can show."""

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parent.parent.parent
PORTAL = ROOT / "portal"
SOURCES = [path for path in sorted(PORTAL.rglob("*.py")) if "migrations" not in path.parts]
ROOMS = [path for path in sorted(PORTAL.iterdir()) if (path / "__init__.py").exists()]
LONGEST_FILE = 250


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("room", ROOMS, ids=named)
def test_every_room_says_what_it_is_for(room):
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text()))


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_files_stay_small(path):
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name != "apps.py"], ids=named)
def test_no_import_hides_in_a_function(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert not [inner for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom)], node.name


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=named)
def test_s3_no_template_switches_escaping_off(path):
    text = path.read_text()
    assert "|safe" not in text
    assert "autoescape off" not in text
    assert " style=" not in text
    assert " onclick=" not in text
