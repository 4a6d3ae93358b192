"""The data of the service is for its own account alone: folders 0700, files 0600, whatever the umask was (guarantee S20)."""

import os
from pathlib import Path

OWNER_ONLY = 0o077
"""What is taken away from everybody else."""


def make_private(folder: Path) -> None:
    """Make the data folder if it is missing, and close it to everybody else; so is what this process creates from now on.

    A folder of another account is left as it is: whoever set it up has decided who reads it.
    """
    os.umask(OWNER_ONLY)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in (folder, *folder.glob("*.sqlite3*")):
        _take_from_others(path)


def _take_from_others(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if mode & OWNER_ONLY:
            path.chmod(mode & ~OWNER_ONLY)
    except (FileNotFoundError, PermissionError):
        pass  # gone meanwhile, or not ours
