"""Which test keeps which promise: writes `docs/promises.md` from the ids in the names of the tests (`make docs`)."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "promises.md"
PROMISE = re.compile(r"test_([hqtawso])(\d+)_(\w+)")
CHAPTERS = {
    "h": "Receiving",
    "q": "Queue, processing, sync",
    "t": "Tokens",
    "a": "Connect flow",
    "w": "Writes",
    "s": "Web and data",
    "o": "Operating",
}
HEAD = """# What must never break, and the tests that try it

Each promise has an id, and the tests that try it carry it in their names. Written by `make docs`; a test fails while this
page is not up to date.
"""


def promises() -> dict[str, dict[int, list[tuple[str, str]]]]:
    """Return chapter → number → (path, words) of every test that names a promise."""
    found: dict[str, dict[int, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (match := PROMISE.fullmatch(node.name)):
                place = path.relative_to(ROOT).as_posix()
                found[match[1]][int(match[2])].append((place, match[3].replace("_", " ")))
    return found


def page() -> str:
    found, parts = promises(), [HEAD]
    for letter, title in CHAPTERS.items():
        parts.append(f"\n## {letter.upper()}: {title}\n\n| id | what the test sees | where |\n|---|---|---|\n")
        for number, tests in sorted(found[letter].items()):
            parts += [f"| {letter.upper()}{number} | {words} | `{place}` |\n" for place, words in sorted(tests)]
    return "".join(parts)
