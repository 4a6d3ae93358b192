"""What the pages about viewers show, over several rows and models."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min

from portal.access_requests.documents import resource_titles, summary_of
from portal.access_requests.models import AccessRequest, Viewer, ViewerItem
from portal.audit.services import history
from portal.page_refresh.services import cached_by_version
from portal.platform_writes.models import ItemState

MAX_SHOWN = 20
ICONS = {
    "viewer.extend": ("calendar-clock", "good"),
    "viewer.shrink": ("list-minus", "info"),
    "viewer.revoke": ("user-x", "bad"),
    "viewer.remind": ("mail", "info"),
    "viewer.link": ("link", "info"),
    "viewer.keep": ("shield-check", "good"),
}


@dataclass(frozen=True)
class ViewerRow:
    """A viewer with what the person may see."""

    viewer: Viewer
    documents: list[str]
    is_at_work: bool = False
    """A change of it is on its way."""

    @property
    def what(self) -> str:
        return summary_of(self.documents) or self.viewer.level_label


@dataclass(frozen=True)
class Checked:
    """How far the looking up of activity, contracts and domains is."""

    number: int
    total: int
    oldest_at: datetime | None
    """What is shown is at least as new as this."""

    @property
    def is_whole(self) -> bool:
        return self.number == self.total


def viewers_checked(now: datetime) -> Checked:
    """Say of how many people with access the facts of the review were looked up, and since when they are as they are."""
    return cached_by_version("access_requests", f"review:checked:{now:%H%M}", lambda: _viewers_checked(now))


def _viewers_checked(now: datetime) -> Checked:
    rows = Viewer.objects.active(now).order_by()
    found = rows.aggregate(total=Count("id"), number=Count("checked_at"), oldest=Min("checked_at"))
    return Checked(found["number"], found["total"], found["oldest"])


def viewer_rows(viewers: Sequence[Viewer]) -> list[ViewerRow]:
    """Give each viewer with the names of the documents; a handful of queries for all."""
    titles = resource_titles({each for viewer in viewers for each in viewer.resource_ids or ()})
    keys = [viewer.pk for viewer in viewers]
    at_work = set(ViewerItem.objects.to_do().filter(viewer__in=keys).values_list("viewer_id", flat=True))
    return [ViewerRow(viewer, [titles[each] for each in viewer.resource_ids or ()], viewer.pk in at_work) for viewer in viewers]


def requests_of(viewer: Viewer) -> list[AccessRequest]:
    """What this person has asked for, newest first."""
    rows = AccessRequest.objects.of_person(viewer.email).defer("payload", "search")
    return list(rows.order_by("-created_at", "-id")[:MAX_SHOWN])


def newest_item(viewer: Viewer) -> ViewerItem | None:
    """The latest change of this viewer that was asked for here, whatever came of it."""
    return ViewerItem.objects.select_related("run").filter(viewer=viewer).order_by("-id").first()


def events_of_viewer(viewer: Viewer) -> list[dict[str, Any]]:
    """What happened to somebody's access, newest first: what was done here, what was refused, what the platform tells."""
    events = [*_done(viewer), *_refused(viewer), *_told(viewer)]
    return sorted(events, key=lambda event: event["at"], reverse=True)


def _done(viewer: Viewer) -> Iterable[dict[str, Any]]:
    for entry in history("viewer", viewer.platform_id):
        icon, tone = ICONS.get(entry.action, ("globe", "info"))
        yield _event(f"{entry.who}: {entry.summary}", entry.at, icon, tone, change_words(entry.details))


def _refused(viewer: Viewer) -> Iterable[dict[str, Any]]:
    items = ViewerItem.objects.select_related("run").filter(viewer=viewer, state=ItemState.FAILED).order_by("-id")
    for item in items[:MAX_SHOWN]:
        title = f"{item.run.asked_by_name}: {item.run}. {item.state_label}."
        yield _event(title, item.run.started_at, "circle-alert", "warn", item.description)


def _told(viewer: Viewer) -> Iterable[dict[str, Any]]:
    yield _event("Access granted", viewer.created_at, "key-round", "muted")
    if viewer.nda_satisfied_at:
        yield _event("This person's NDA was settled", viewer.nda_satisfied_at, "signature", "good")
    if viewer.gone_at:
        yield _event("The platform no longer lists this access", viewer.gone_at, "user-x", "muted")
    elif viewer.expires_at and viewer.is_expired:
        yield _event("Access expired", viewer.expires_at, "clock", "muted")


def _event(title: str, at: Any, icon: str, tone: str, text: str = "") -> dict[str, Any]:
    return {"title": title, "text": text, "at": at, "icon": icon, "tone": tone}


def change_words(details: dict[str, Any]) -> str:
    """Say what a change left out: documents by name."""
    before, after = details.get("before") or {}, details.get("after") or {}
    kept = after.get("resource_ids")
    if before.get("resource_ids") == kept or kept is None:
        return ""
    titles = resource_titles(kept)
    return f"Documents kept: {', '.join(titles[each] for each in kept)}."
