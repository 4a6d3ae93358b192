"""What `make test-fast` runs: the cases that a change concerns."""

import subprocess
from pathlib import Path

import grimp
import pytest

from tests.touched import HOUSE, OTHER_NAMES, ROOT, Importers, cases_of, changed_files, module_of, rooms_that_import

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def importers() -> Importers:
    return rooms_that_import(grimp.build_graph("portal", cache_dir=None))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("portal/customers/models/dismissals.py", {"tests/customers"}, id="what its room alone imports"),
        pytest.param("portal/contracts/dates.py", {"tests/contracts", "tests/commitments"}, id="what another room imports"),
        pytest.param("portal/inbox/services/intake.py", {"tests/inbox", "tests/first_hour"}, id="what its room hands on"),
        pytest.param("portal/platform_writes/bulk.py", {"tests/people", "tests/questionnaires"}, id="a room without cases"),
        pytest.param("portal/engagements/selectors.py", {"tests/audits_desk"}, id="a room whose cases have another name"),
        pytest.param("portal/contracts/removed_long_ago.py", {"tests/contracts"}, id="a module that is gone"),
        pytest.param("templates/contracts/list.html", {"tests/contracts"}, id="a page"),
        pytest.param("templates/mfa/index.html", {"tests/users"}, id="a page of a library"),
        pytest.param("static/css/tables.css", {"tests/ui"}, id="a style"),
        pytest.param("tests/contracts/test_terms.py", {"tests/contracts/test_terms.py"}, id="a file of cases"),
        pytest.param("tests/contracts/test_removed_long_ago.py", set(), id="a file of cases that is gone"),
        pytest.param("tests/questionnaires/tagged.py", {"tests/questionnaires"}, id="what a room's cases share"),
        pytest.param("docs/contracts.md", set(), id="a page of the docs"),
        pytest.param("README.md", set(), id="the README"),
    ],
)
def test_a_change_concerns_its_room_who_imports_it_and_the_house(importers, path, expected):
    found = cases_of([path], importers)
    assert found is not None
    assert {HOUSE} | expected <= {*found}
    assert len(expected) > 1 or {HOUSE} | expected == {*found}


@pytest.mark.parametrize(
    "path",
    [
        *("portal/settings.py", "manage.py", "requirements.txt", "pyproject.toml", "Makefile", "templates/base.html"),
        *("tests/conftest.py", "tests/run.py", "tests/support/kept.py"),
    ],
)
def test_what_is_everybodys_concerns_everything(importers, path):
    assert cases_of(["docs/contracts.md", path], importers) is None


def test_a_file_runs_once_where_its_folder_runs(importers):
    paths = ["templates/contracts/list.html", "tests/contracts/test_terms.py"]
    assert cases_of(paths, importers) == ["tests/contracts", HOUSE]


def test_no_room_goes_without_its_cases():
    """A room with a new name, or cases with another one, would be left out in silence."""
    rooms = [path.parent.name for path in (ROOT / "portal").glob("*/__init__.py")]
    without = {room for room in rooms if not (ROOT / "tests" / OTHER_NAMES.get(room, room)).is_dir()}
    assert without == {"demo", "platform_writes"}, "these two have their cases in other rooms"


def test_what_differs_is_found_committed_or_not(tmp_path: Path):
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(text)

    assert changed_files(tmp_path) is None, "no repository"
    git("init", "-b", "main")
    for name in ("same", "committed", "changed", "removed", "öld name"):
        write(name, "before")
    git("add", "-A")
    git("commit", "-m", "before")
    assert changed_files(tmp_path) == []
    git("switch", "-c", "next")
    write("committed", "after")
    git("commit", "-am", "after")
    write("changed", "after")
    write("new", "after")
    (tmp_path / "removed").unlink()
    git("mv", "öld name", "new name")
    assert changed_files(tmp_path) == ["changed", "committed", "new", "new name", "removed", "öld name"]
    git("branch", "-D", "main")
    assert changed_files(tmp_path) is None, "nothing to compare with"


def test_a_module_is_called_as_it_is_imported():
    assert module_of("portal/contracts/dates.py") == "portal.contracts.dates"
    assert module_of("portal/inbox/services/__init__.py") == "portal.inbox.services"
