"""Issues that are due on some day, as work of who owns them."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db.models import QuerySet

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import ends_of_due_dates
from portal.risks.models import Issue, IssueOwner, OwnerOfIssue, names_of_owners
from portal.risks.search_hits import issue_url
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind
from portal.work_items.services import Named, members_named, owner_of

AHEAD = timedelta(days=14)
"""So long before its day an issue is shown as something to do."""


def _dated() -> QuerySet[Issue]:
    return Issue.objects.present().open().filter(due_at__isnull=False)


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of open issues that are due on some day. Of several owners the first who is a member here has it."""
    rows = list(_dated().filter(pk__in=list(ids)).defer("search", "payload"))
    names = names_of_owners(OwnerOfIssue.objects.filter(issue__in=rows))
    members = members_named((row.tenant_id, name) for row in rows for name in names.get(row.pk, []))
    end_of = ends_of_due_dates({row.tenant_id for row in rows})
    return {row.pk: _item(row, names.get(row.pk, []), members, end_of(row.tenant_id, row.due_sort)) for row in rows}


def _item(row: Issue, names: list[str], members: Named, due_at: datetime) -> Item:
    mine = [(name, owner_of(members, row.tenant_id, name)) for name in names]
    name, owner_id = next((each for each in mine if each[1]), mine[0] if mine else ("", None))
    return Item(
        title=str(row),
        to_do=f"Resolve the issue: {row.severity_label[0].lower()}",
        url=partial(_url, row.platform_id),
        due_at=due_at,
        visible_from=row.due_sort - AHEAD,
        owner_id=owner_id,
        owner_name=name,
    )


def _url(platform_id: str, slug: str) -> str:
    return issue_url(slug, platform_id)


def register() -> None:
    register_kind(
        Kind(
            name="issue",
            label="Issue",
            icon="circle-alert",
            desk="Risks",
            sources=(
                Source(model=Issue, columns=("title", "readable_id", "severity", "is_open", "due_at", "gone_at")),
                Source(model=OwnerOfIssue, columns=("owner_id",), key="issue"),
                Source(model=IssueOwner, columns=("name",), key=EVERY),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            objects=_dated,
            has_owners=True,
            searched=Searched(Issue),
        )
    )
