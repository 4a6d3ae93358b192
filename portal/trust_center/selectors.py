"""Reads of the desk's pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from portal.audit.services import history
from portal.page_refresh.services import cached_by_version
from portal.trust_center.kinds import AREA, FAQ, FRAMEWORK, RESOURCE, SHOWN_CONTROL, SUBPROCESSOR, SUBSCRIBER, UPDATE
from portal.trust_center.models import (
    ContentCheck,
    ContentSweep,
    ControlPlacement,
    Faq,
    Framework,
    Publication,
    Resource,
    ShownControl,
    Subprocessor,
    Subscriber,
    SubscriberGroup,
    SubscriberInGroup,
    Update,
)

PAGES: dict[str, tuple[str, type[Any], str]] = {
    "trust_center:resources": ("Documents", Resource, RESOURCE),
    "trust_center:faqs": ("FAQs", Faq, FAQ),
    "trust_center:controls": ("Controls", ShownControl, SHOWN_CONTROL),
    "trust_center:subprocessors": ("Subprocessors", Subprocessor, SUBPROCESSOR),
    "trust_center:frameworks": ("Compliance frameworks", Framework, FRAMEWORK),
    "trust_center:updates": ("Updates", Update, UPDATE),
    "trust_center:subscribers": ("Subscribers", Subscriber, SUBSCRIBER),
}
"""The lists of the desk, as its tabs name them, each with what it shows and the kind of that."""
ICONS = {
    "resource.change": ("pencil", "info"),
    "resource.renewal": ("calendar-check", "good"),
    "resource.download": ("download", "muted"),
    "faq.add": ("plus", "good"),
    "faq.change": ("pencil", "info"),
    "content_check.dismiss": ("circle-slash", "muted"),
    "content_check.bring_back": ("undo-2", "info"),
    "resource.add": ("upload", "good"),
    "shown_control.show": ("eye", "good"),
    "shown_control.move": ("folder-tree", "info"),
    "shown_control.hide": ("eye-off", "muted"),
    "update.publish": ("megaphone", "good"),
    "update.tell": ("mail", "good"),
    "update.change": ("pencil", "info"),
}


MAX_OPEN = 20


def figures() -> dict[str, int]:
    """Count what each list of the desk has."""

    def count() -> dict[str, int]:
        return {name: model._default_manager.filter(gone_at=None).count() for name, (_, model, _) in PAGES.items()}

    return cached_by_version(AREA, "figures", count)


@dataclass(frozen=True)
class CheckProgress:
    """How much of the content was looked at, and how much there is to check."""

    checked_at: datetime | None
    uncompared: int
    """FAQs that were not compared with sent answers since they changed."""
    number: int

    @property
    def is_whole(self) -> bool:
        """Whether none to check means that there is none (guarantee R3)."""
        return self.checked_at is not None and not self.uncompared


def check_progress() -> CheckProgress:
    """Say how much was looked at."""

    def look() -> CheckProgress:
        checked_at = ContentSweep.objects.values_list("checked_at", flat=True).first()
        uncompared = Faq.objects.present().filter(compared_at=None).count()
        return CheckProgress(checked_at, uncompared, ContentCheck.objects.open().count())

    return cached_by_version(AREA, "check_progress", look)


def check_of(subject: str, object_key: int) -> ContentCheck | None:
    """Return what is wrong with a document or FAQ, dismissed or not."""
    return ContentCheck.objects.about(subject, object_key).first()


def access_figures() -> dict[str, int]:
    """Count the documents that everybody sees, and those that visitors have to ask for."""

    def count() -> dict[str, int]:
        numbers = dict(Resource.objects.present().order_by().values_list("is_public").annotate(number=Count("pk")))
        return {"public": numbers.get(True, 0), "on_request": numbers.get(False, 0)}

    return cached_by_version(AREA, "access", count)


def faqs_per_category() -> dict[str, int]:
    """Count the FAQs of each category that has any, by its id."""

    def count() -> dict[str, int]:
        rows = Faq.objects.present().order_by().values_list("category_id").annotate(number=Count("pk"))
        return dict(rows)

    return cached_by_version(AREA, "categories", count)


def controls_per_category() -> dict[str, tuple[int, int]]:
    """Count the controls of each category that has any, by its id, and those of them that are in no other one."""

    def count() -> dict[str, tuple[int, int]]:
        rows = ControlPlacement.objects.filter(control__gone_at=None).order_by().values_list("category_id")
        alone = ShownControl.objects.present().in_one_category().values("pk")
        numbers = rows.annotate(number=Count("pk"), alone=Count("pk", filter=Q(control__in=alone)))
        return {category_id: (number, only_here) for category_id, number, only_here in numbers}

    return cached_by_version(AREA, "control_categories", count)


def events_of(kind: str, platform_id: str) -> list[dict[str, Any]]:
    """Tell what was done with an object here, newest first."""
    events = []
    for done in history(kind, platform_id):
        icon, tone = ICONS.get(done.action, ("circle-dot", "muted"))
        events.append({"title": f"{done.who}: {done.summary}", "at": done.at, "icon": icon, "tone": tone})
    return events


def subscribers_per_group() -> dict[str, int]:
    """Count the subscribers of each group that has any, by its id."""

    def count() -> dict[str, int]:
        rows = SubscriberInGroup.objects.filter(subscriber__gone_at=None).order_by().values_list("group_id")
        return dict(rows.annotate(number=Count("pk")))

    return cached_by_version(AREA, "subscriber_groups", count)


def group_names(subscribers: Sequence[Subscriber]) -> dict[int, list[str]]:
    """Name the groups of each subscriber of a page."""
    pairs = list(SubscriberInGroup.objects.filter(subscriber__in=subscribers).values_list("subscriber_id", "group_id"))
    rows = SubscriberGroup.objects.present().filter(platform_id__in={each for _, each in pairs}).only("platform_id", "name")
    names = {row.platform_id: str(row) for row in rows}
    found: dict[int, list[str]] = {}
    for subscriber_id, group_id in pairs:
        if group_id in names:
            found.setdefault(subscriber_id, []).append(names[group_id])
    return {subscriber_id: sorted(each, key=str.casefold) for subscriber_id, each in found.items()}


def open_publications() -> list[Publication]:
    """Return what is scheduled or being sent, the oldest first."""
    return list(Publication.objects.open().order_by("id")[:MAX_OPEN])
