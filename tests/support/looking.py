"""Looking at a page as a demanding customer would: axe, and nothing that sticks out. With SHOTS=<folder> it takes a picture."""

import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
RULES = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def look(page: Page, name: str) -> None:
    """Check the page that is open; `name` says which one it is."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    found = Axe().run(page, options=RULES).response["violations"]
    assert [(violation["id"], [node["html"][:120] for node in violation["nodes"]]) for violation in found] == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
