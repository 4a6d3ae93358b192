"""What the daily tasks of the questionnaire desk cost, in clicks and in keys, as the browser tests count them."""

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

TESTS = "tests/questionnaires/test_tasks_browser.py"


def print_tasks() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            "2",
            "-o",
            "junit_family=xunit1",
            f"--junitxml={report}",
            TESTS,
            "-m",
            "counted",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        counts = counted(report)
    print("\nThe daily tasks of the questionnaire desk, from the page on which each begins; letters of texts are not counted:")
    for task in sorted({task for task, _ in counts}):
        print(f"  {task.replace('_', ' '):<28} {counts[task, 'mouse']:>2} clicks, or {counts[task, 'keyboard']:>2} keys")


def counted(report: Path) -> dict[tuple[str, str], int]:
    """Return the presses of each task by mouse and by keyboard."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        presses = next(each.get("value") for each in case.iter("property") if each.get("name") == "presses")
        _, task, hand = case.get("name", "").rstrip("]").rsplit("[", 1)[1].split("-")
        found[task, hand] = int(presses or 0)
    return found
