"""The units for systemd, for their form: they are not run here, since systemd is not."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.optional_programs import do_without

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
OPERATING = (ROOT / "docs" / "operating.md").read_text()
WALK = OPERATING[OPERATING.index("## An afternoon with a bare Debian") : OPERATING.index("## Backup and restore")]
STEPS = re.findall(r"^ *\$ (.*)$", WALK, re.MULTILINE)
"""The commands of a first afternoon, one after the other."""


@pytest.mark.once
def test_systemd_understands_every_line_of_the_units(tmp_path):
    if not shutil.which("systemd-analyze"):
        do_without("no systemd-analyze")
    assert len(UNITS) == 3
    for unit in UNITS:
        # The program is where an operator puts it, not here; nor is the account.
        text = re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE)
        (tmp_path / unit.name).write_text(text)
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit.name) for unit in UNITS)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in answer.stderr.splitlines() if str(tmp_path) in line or "portal-" in line] == []


@pytest.mark.once
def test_the_units_start_what_the_documents_name():
    stream, web, worker = (unit.read_text() for unit in UNITS)
    assert "granian --interface asginl" in stream
    assert "PORTAL_PROCESS=web" in web
    assert "granian --interface wsgi" in web
    assert "manage.py worker" in worker
    assert "PORTAL_PROCESS" not in worker


@pytest.mark.once
def test_every_place_that_units_and_proxy_name_is_made_by_a_step():
    proxy = (ROOT / "deploy" / "nginx" / "portal.conf").read_text()
    texts = [proxy, *(unit.read_text() for unit in UNITS)]
    named = {place for text in texts for place in re.findall(r"/(?:opt|srv|etc)/(?:ssl/)?portal\b", text)}
    assert named == {"/opt/portal", "/srv/portal", "/etc/portal", "/etc/ssl/portal"}
    making = [step for step in STEPS if "install -d" in step or "ln -sfn" in step]
    assert named - {word for step in making for word in step.split()} == set()


@pytest.mark.once
def test_the_data_folder_is_closed_from_the_beginning():
    [made] = [part for step in STEPS for part in step.split("&&") if part.endswith(" /var/lib/portal")]
    assert "-o portal -g portal -m 0700" in made
    modes = [re.findall(r"^StateDirectoryMode=(\d+)$", unit.read_text(), re.MULTILINE) for unit in UNITS]
    assert modes == [["0700"]] * len(UNITS)


@pytest.mark.once
def test_a_release_is_migrated_and_collected_before_the_units_find_it():
    def place(words: str) -> int:
        [number] = [number for number, step in enumerate(STEPS) if words in step]
        return number

    order = [
        "-m venv $RELEASE/.venv",
        "manage.py migrate",
        "collectstatic",
        "ln -sfn $RELEASE /opt/portal",
        "enable --now portal-web",
    ]
    assert [*map(place, order)] == sorted(map(place, order))
    assert "/etc/portal/owner.env" in STEPS[place("manage.py migrate")]
    assert "WorkingDirectory=$RELEASE" in STEPS[place("AS_PORTAL=")]
    assert "curl" in STEPS[place("apt install")].split()
