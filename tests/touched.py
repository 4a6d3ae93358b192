"""Which cases a change concerns: those of its rooms, of the rooms that import what has changed, and of the house.

`make test-fast` runs them before a commit. What else may break by it is found by `.ci/run`, which runs everything.
"""

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
HOUSE = "tests/house"
UI = "tests/ui"
NO_CODE = {"docs", "deploy", ".ci"}
OTHER_NAMES = {
    # A suite or a helper of the tests has the room's own name.
    "controls": "controls_desk",
    "documents": "compliance_documents",
    "engagements": "audits_desk",
    # Pages that belong to a library.
    "account": "users",
    "allauth": "users",
    "components": "ui",
    "mfa": "users",
    "usersessions": "users",
}
"""Where the cases of a room or of a folder of templates are, if not under its name."""

type Importers = Callable[[str], set[str]]
"""Returns the rooms that import a module, its own among them."""


def changed_files(root: Path = ROOT) -> list[str] | None:
    """Return what differs from `main`, committed or not; None where there is no `main` to compare with."""
    base = _git(root, "merge-base", "main", "HEAD")
    if base is None:
        return None
    changed = _git(root, "diff", "--name-only", "--no-renames", "-z", base.strip()) or ""
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z") or ""
    return sorted({*filter(None, (changed + new).split("\0"))})


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def cases_of(paths: Iterable[str], importers: Importers) -> list[str] | None:
    """Return the folders and files of the cases that these files concern; None for all, where one is everybody's."""
    found = {HOUSE}
    for path in paths:
        places = _places(path, importers)
        if places is None:
            return None
        found |= {place for place in places if (ROOT / place).exists()}
    # A file of a folder that runs as a whole runs with it.
    return sorted(place for place in found if str(Path(place).parent) not in found)


def _places(path: str, importers: Importers) -> set[str] | None:
    match Path(path).parts:
        case ("portal", room, _, *_):
            return {_tests_of(each) for each in (room, *importers(module_of(path)))}
        case ("templates", room, _, *_):
            return {_tests_of(room)}
        case ("static", *_):
            return {UI}
        case ("tests", room, *_, name) if room != "support":
            return {path} if name.startswith("test_") else {f"tests/{room}"}
        case (folder, *rest) if folder in NO_CODE or (not rest and path.endswith(".md")):
            return set()
    return None


def _tests_of(room: str) -> str:
    return f"tests/{OTHER_NAMES.get(room, room)}"


def module_of(path: str) -> str:
    """Return the name of the module that a file is."""
    return ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")


def rooms_that_import(graph: grimp.ImportGraph) -> Importers:
    """Return a look into the imports of the portal: through a module's own room, which hands it on, and one step out."""

    def importers(module: str) -> set[str]:
        rooms, seen, left = set[str](), {module}, [module]
        while left:
            each = left.pop()
            found = graph.find_modules_that_directly_import(each) if each in graph.modules else set()
            rooms |= {_room_of(importer) for importer in found}
            left.extend(importer for importer in found - seen if _room_of(importer) == _room_of(module))
            seen |= found
        return rooms - {""}

    return importers


def _room_of(module: str) -> str:
    return [*module.split("."), ""][1]


def touched_cases() -> list[str] | None:
    """Return where the cases are that concern what differs from `main`; None for all cases."""
    paths = changed_files()
    return None if paths is None else cases_of(paths, rooms_that_import(grimp.build_graph("portal", cache_dir=None)))
