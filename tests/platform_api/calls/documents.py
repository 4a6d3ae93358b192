"""Calls of documents, their links and uploads."""

import io
from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.compliance import AT, UNKNOWN, parent_and_id
from tests.platform_api.calls.core import read_media
from tests.platform_api.world import World


def upload(world: World) -> tuple[str, str]:
    return parent_and_id(world, "uploads")


CALLS: dict[str, Callable[[World], Any]] = {
    "documents.all": lambda w: w.api.documents.all.page(
        None, framework_matches_any=["soc2"], status_matches_any=["Needs document", "OK"]
    ),
    "documents.create": lambda w: w.api.documents.create(
        title="Clean desk",
        description="A picture",
        time_sensitivity="MOST_RECENT",
        cadence="P1Y",
        reminder_window="P1M",
        is_sensitive=False,
    ),
    "documents.get": lambda w: w.api.documents.get(w.id_of("documents")),
    "documents.delete": lambda w: w.api.documents.delete(w.id_of("documents")),
    "documents.controls": lambda w: w.api.documents.controls.page(None, w.id_of("documents")),
    "documents.set_owner": lambda w: w.api.documents.set_owner(w.id_of("documents"), None),
    "documents.submit": lambda w: w.api.documents.submit(w.id_of("documents")),
    "documents.links.all": lambda w: w.api.documents.links.all.page(None, w.id_of("documents")),
    "documents.links.create": lambda w: w.api.documents.links.create(
        w.id_of("documents"), url="https://wiki.example/x", title="Page", effective_date=AT
    ),
    "documents.links.delete": lambda w: w.api.documents.links.delete(*parent_and_id(w, "links")),
    "documents.uploads.all": lambda w: w.api.documents.uploads.all.page(None, w.id_of("documents")),
    "documents.uploads.create": lambda w: w.api.documents.uploads.create(
        w.id_of("documents"), io.BytesIO(b"a,b\n"), filename="list.csv", effective_at_date=AT, description="Q1"
    ),
    "documents.uploads.delete": lambda w: w.api.documents.uploads.delete(*upload(w)),
    "documents.uploads.media": lambda w: read_media(w.api.documents.uploads.media(*upload(w))),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "documents.get": lambda w: w.api.documents.get(UNKNOWN),
    "documents.delete": lambda w: w.api.documents.delete(UNKNOWN),
    "documents.controls": lambda w: w.api.documents.controls.page(None, UNKNOWN),
    "documents.set_owner": lambda w: w.api.documents.set_owner(UNKNOWN, None),
    "documents.submit": lambda w: w.api.documents.submit(UNKNOWN),
    "documents.links.all": lambda w: w.api.documents.links.all.page(None, UNKNOWN),
    "documents.links.delete": lambda w: w.api.documents.links.delete(w.id_of("documents"), UNKNOWN),
    "documents.uploads.all": lambda w: w.api.documents.uploads.all.page(None, UNKNOWN),
    "documents.uploads.create": lambda w: w.api.documents.uploads.create(UNKNOWN, io.BytesIO(b"x"), filename="x.txt"),
    "documents.uploads.media": lambda w: read_media(w.api.documents.uploads.media(w.id_of("documents"), UNKNOWN)),
}
