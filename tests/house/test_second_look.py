"""What failed is tried once more, and only what passes then lets a run pass: `tests.run` over real runs of pytest."""

from pathlib import Path

import pytest

from tests.run import MAX_UNSTEADY, run

pytestmark = pytest.mark.once

ONCE_RED = """
    flag = Path(__file__).with_name(name)
    if not flag.exists():
        flag.touch()
        assert 0, "the first time"
"""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Run a file of cases as a suite is run; return the exit code and what was printed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")

    def run_file(cases: str) -> tuple[int, str]:
        (tmp_path / "test_cases.py").write_text(f"import os, signal\nfrom pathlib import Path\nimport pytest\n{cases}")
        plugins = ["-p", "xdist.plugin", "-p", "tests.crashed_workers"]
        code = run(["-c", str(tmp_path / "pytest.ini"), *plugins, str(tmp_path)], services=False, workers=2)
        return code, capfd.readouterr().out

    return run_file


def test_what_is_always_red_stays_red(runs):
    code, printed = runs("def test_red():\n    assert 0\ndef test_green():\n    pass")
    assert code == 1
    assert "test_red" in printed
    assert "== unsteady" not in printed


def test_what_passes_alone_is_named_and_does_not_fail_the_run(runs):
    code, printed = runs(
        f"@pytest.mark.parametrize('name', ['a@b', 'c'])\n@pytest.mark.xdist_group('together')\ndef test_shaky(name):{ONCE_RED}"
    )
    assert code == 0
    assert "== unsteady\ntest_cases.py::test_shaky[a@b]\ntest_cases.py::test_shaky[c]\n" in printed


def test_a_red_teardown_is_looked_at_again_too(runs):
    code, printed = runs(
        f"@pytest.fixture\ndef world(name='flag'):\n    yield{ONCE_RED}\ndef test_leaves_something(world):\n    pass"
    )
    assert code == 0
    assert "== unsteady\ntest_cases.py::test_leaves_something\n" in printed


def test_one_that_stays_red_among_the_unsteady_is_red(runs):
    code, printed = runs(f"def test_shaky(name='flag'):{ONCE_RED}\ndef test_red():\n    assert 0")
    assert code == 1
    assert "== unsteady" not in printed


def test_one_more_than_are_believed_are_red(runs):
    code, printed = runs(
        f"@pytest.mark.parametrize('name', [*'{'abcdefgh'[: MAX_UNSTEADY + 1]}'])\ndef test_shaky(name):{ONCE_RED}"
    )
    assert code == 1
    assert "have no second look" in printed


@pytest.mark.parametrize(
    "again",
    [
        pytest.param("os._exit(0)", id="the run ends before"),
        pytest.param("pytest.skip('not today')", id="it is skipped"),
        pytest.param("pytest.exit('enough', returncode=0)", id="it gives up"),
    ],
)
def test_what_is_not_reached_the_second_time_is_red(runs, again):
    code, printed = runs(f"def test_shaky(name='flag'):{ONCE_RED}    else:\n        {again}")
    assert code != 0
    assert "== unsteady" not in printed


def test_what_has_another_name_the_second_time_is_red(runs):
    code, printed = runs(
        "flag = Path(__file__).with_name('flag')\n"
        "@pytest.mark.parametrize('when', ['later' if flag.exists() else 'first'])\n"
        "def test_shaky(when):\n    flag.touch()\n    assert when == 'later'"
    )
    assert code != 0
    assert "== unsteady" not in printed


def test_a_file_that_cannot_be_read_is_red_at_once(runs):
    code, printed = runs("import nothing_of_this_name")
    assert code != 0
    assert "1 error" in printed
    assert "once more" not in printed


def test_a_process_that_dies_is_red_at_once(runs):
    code, printed = runs("def test_dies():\n    os.kill(os.getpid(), signal.SIGKILL)\ndef test_green():\n    pass")
    assert code not in {0, 1}
    assert "once more" not in printed
    assert "== died" in printed


def test_a_file_without_cases_is_no_fault(runs):
    assert runs("")[0] == 0
