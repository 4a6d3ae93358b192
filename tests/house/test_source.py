"""Rules of the house that only the source itself can show. Each file is read and parsed once."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PORTAL = ROOT / "portal"
SOURCES = [path for path in sorted(PORTAL.rglob("*.py")) if "migrations" not in path.parts]
ROOMS = [path for path in sorted(PORTAL.iterdir()) if (path / "__init__.py").exists()]
MAX_LINES = 300
TOP_LEVEL = {
    *(".ci", ".dockerignore", ".git", ".gitignore", ".python-version"),
    *("Makefile", "README.md", "deploy", "docs", "manage.py", "portal", "pyproject.toml"),
    *("requirements-dev.txt", "requirements-watching.txt", "requirements.txt", "static", "templates", "tests"),
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_room_says_what_it_is_for():
    assert [named(room) for room in ROOMS if not ast.get_docstring(parsed(room / "__init__.py"))] == []


def test_nothing_else_stands_at_the_top_level():
    kept_out = {line.strip("/") for line in (ROOT / ".gitignore").read_text().split()}
    assert {path.name for path in ROOT.iterdir()} - TOP_LEVEL - kept_out == set()


def test_files_stay_small():
    assert [named(path) for path in SOURCES if len(path.read_text().splitlines()) > MAX_LINES] == []


def test_every_migration_is_made_in_steps():
    """Without these each operation has all models of the site made anew: half a minute for an empty database."""
    migrations = sorted(PORTAL.glob("*/migrations/0*.py"))
    assert [named(path) for path in migrations if "operations = steps([" not in path.read_text()] == []
    assert migrations


def test_no_import_hides_in_a_function():
    # What Django calls once every app is there may import models.
    sources = [path for path in SOURCES if path.name != "apps.py"]
    assert [(named(path), name) for path in sources for name in functions_with_imports(parsed(path))] == []


def functions_with_imports(tree: ast.Module) -> list[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [
        function.name
        for function in functions
        if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function))
    ]


def test_s3_no_template_switches_escaping_off_or_needs_inline_code():
    forbidden = ("|safe", "autoescape off", " style=", " onclick=")
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert [(named(path), words) for path in templates for words in forbidden if words in path.read_text()] == []


def test_texts_that_are_kept_have_no_form_of_dates_of_their_own():
    """Whoever reads an audit row or a notification has another form of dates and another zone than whoever caused it."""
    forms = ("%b", "%B", "date_format(", "exact_words(", "day_words(")
    services = [path for path in SOURCES if "services" in (*path.parts, path.stem)]
    assert [(named(path), form) for path in services for form in forms if form in path.read_text()] == []


def test_no_test_leaves_itself_out():
    """What CI must have is asked for by `do_without`, which fails there."""
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path.name != "optional_programs.py"]
    assert [named(path) for path in tests if any(skips(node) for node in ast.walk(parsed(path)))] == []


def skips(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.skip"
