"""The one style sheet and the one script of every page, put together from the small files that people write.

A finder of Django's staticfiles: `collectstatic` hashes and compresses what it finds here like any other file, and the web
process of a developer puts them together anew when a part has changed. Comments and indentation of our own parts are left out:
compressed, they are an eighth of what a first view fetches.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage, Storage

STYLES = (
    *("tokens", "base", "shell", "navigation", "tabs", "sections", "layout", "controls", "fields", "forms", "status", "lists"),
    *("tables", "tables_small", "switches", "board", "panels", "panes", "answers", "review", "clocks", "triage", "rules"),
    *("activity", "contracts", "incidents", "commitments", "queue", "command", "overlays", "notifications"),
    *("entrance", "states"),
)
"""The first one names the layers; within a layer what stands later wins."""

SCRIPTS = (
    *(
        "theme",
        "timezone",
        "toasts",
        "dialogs",
        "requests",
        "submitters",
        "live",
        "panes",
        "rows",
        "triage",
        "review",
        "choices",
        "command",
        "keys",
        "tabs",
    ),
    *("pairs", "deadlines", "many_files"),
)
"""They run in this order: of two that listen for a key the first one may keep it from the second."""

BUNDLES = {
    "css/portal.css": tuple(f"css/{name}.css" for name in STYLES),
    "js/portal.js": ("django_htmx/htmx-2.min.js", *(f"js/{name}.js" for name in SCRIPTS)),
    # What only some pages need stands beside it, so that the first page of all others is smaller.
    "css/commenting.css": ("css/comments.css",),
    "css/all_tenants.css": ("css/portfolio.css",),
    "css/answering.css": ("css/questionnaire.css", "css/workspace.css"),
    "css/calendar.css": ("css/month.css",),
    "css/choosing.css": ("css/preferences.css",),
    "css/entry.css": ("css/library.css",),
    "css/figures.css": ("css/charts.css",),
    "css/inconsistent.css": ("css/told.css",),
    "js/answering.js": ("js/drafts.js", "js/insert.js", "js/ahead.js"),
    "js/commenting.js": ("js/mentions.js", "js/comments.js"),
    # A page that stays open for some seconds brings it in.
    "js/following.js": ("js/stream.js",),
    # Only pages that ask for a passkey link it.
    "js/passkeys.js": (
        "mfa/js/webauthn-json.js",
        "mfa/js/webauthn.js",
        "account/js/onload.js",
        "js/passkey_errors.js",
        "js/scripted.js",
    ),
}
"""What pages link → its parts."""
OURS = ("css/", "js/")
COMMENTS = {".css": re.compile(r"/\*.*?\*/", re.DOTALL), ".js": re.compile(r"^\s*//.*$", re.MULTILINE)}
"""In scripts those that fill their line: within a line two strokes may stand in an address."""


class Bundles(finders.BaseFinder):
    """Finds the bundles, and puts them together first."""

    def check(self, **options: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **options: Any) -> Any:
        if path not in BUNDLES:
            return [] if find_all else None
        found = str(_put_together(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        storage = FileSystemStorage(location=_folder())
        for path in BUNDLES:
            _put_together(path)
            yield path, storage


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "bundles"


def _put_together(path: str) -> Path:
    """Write a bundle unless it is there as it should be. Processes that start together replace it by the same."""
    target = _folder() / path
    # A new line between two: the last line of a part may be a comment. A semicolon, too: a script may end without one, and what
    # follows in brackets would call it.
    content = (b"\n;\n" if path.endswith(".js") else b"\n").join(_read(part) for part in BUNDLES[path])
    if not (target.exists() and target.read_bytes() == content):
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(content)
        fresh.replace(target)
    return target


def _read(part: str) -> bytes:
    found = finders.find(part)
    if not found:
        raise FileNotFoundError(f"{part}, a part of a bundle, is no static file")
    content = Path(found).read_bytes()
    return without_comments(content.decode(), Path(part).suffix).encode() if part.startswith(OURS) else content


def without_comments(text: str, suffix: str) -> str:
    """Leave out of a style sheet or a script what only people read. No text of ours goes over the end of a line."""
    lines = (line.strip() for line in COMMENTS[suffix].sub("", text).splitlines())
    return "\n".join(line for line in lines if line)
