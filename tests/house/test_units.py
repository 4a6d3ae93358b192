"""The units for systemd, for their form: they are not run here, since systemd is not."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.missing import do_without

UNITS = sorted((Path(__file__).parent.parent.parent / "deploy" / "systemd").glob("*.service"))


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
