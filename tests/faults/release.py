"""The code of the last release, as the history has it."""

import io
import subprocess
import tarfile
from pathlib import Path

from tests.faults.house import CODE
from tests.support.optional_programs import leave_out

LAST_RELEASE = "8043c901d9ac8232041fe8a33bad1319e36d28ec"
"""0.1.0. Each release puts its commit here (docs/operating.md), and what follows is an upgrade from it."""


def take_out(folder: Path) -> Path:
    """Put the tree of the last release into a folder; an archive of the code has no history to take it from."""
    tree = subprocess.run(["git", "archive", LAST_RELEASE], cwd=CODE, capture_output=True, check=False)
    if tree.returncode:
        leave_out(f"the history has no {LAST_RELEASE[:9]}: {tree.stderr.decode()}")
    with tarfile.open(fileobj=io.BytesIO(tree.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder
