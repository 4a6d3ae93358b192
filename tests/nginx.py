"""Finds the proxy of the tests, and installs it where it may: `python -m tests.nginx`."""

import os
import shutil
import subprocess
import sys


def find() -> str | None:
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def install() -> None:
    """Install nginx from the distribution's packages, where that needs no password."""
    if find() or not (shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0):
        return
    # It is not started: a policy of the packages would start it at once on port 80.
    environment = {**os.environ, "RUNLEVEL": "1", "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "-o", "DPkg::Lock::Timeout=120", "install", "-y", "-qq", "--no-install-recommends", "nginx-light"],
    ):
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=environment)


if __name__ == "__main__":
    install()
    sys.exit(None if find() else "No nginx could be installed. Install it, then run this again.")
