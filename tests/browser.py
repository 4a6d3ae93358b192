"""Finds the programs that the tests need, and installs them where it may: `python -m tests.browser`.

A browser, and xmlsec1, with which the SAML provider of the tests signs.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """Return the path of a Chromium: the system's or one that playwright has downloaded.

    The one without windows first: it starts and draws a fifth quicker, and nobody looks.
    """
    downloads = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    found = [
        shutil.which("chromium-headless-shell"),
        *sorted(downloads.glob("chromium_headless_shell-*/*/*headless?shell")),
        *(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")),
        *sorted(downloads.glob("chromium-*/chrome-*/chrome")),
    ]
    return next((str(path) for path in found if path), None)


def install() -> None:
    """Install what is missing: from the system's packages where that needs no password, else by playwright."""
    if find() and shutil.which("xmlsec1"):
        return
    commands = [] if find() else [[sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        packages = ["xmlsec1"] if find() else ["chromium-headless-shell", "fonts-inter", "xmlsec1"]
        commands = [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *packages], *commands]
    for command in commands:
        if find() and shutil.which("xmlsec1"):
            return
        print("installing what the tests need:", " ".join(command), flush=True)
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    install()
    sys.exit(None if find() else "No browser could be installed. Install Chromium, then run this again.")
