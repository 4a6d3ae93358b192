"""Telling of the last day to give notice and of the end ahead of it: the owner, else the admins; once for each day."""

from datetime import date, timedelta
from functools import partial

from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from portal.contracts.models import Terms
from portal.notifications.kinds import DEADLINE
from portal.notifications.services import notify_once
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.users.dates import stored
from portal.users.models import User

AHEAD = timedelta(days=30)
"""So long before the day; a contract that is noted later than that is told of at once."""
MAX_TOLD = 50
NOTICE, END = ("notice_on", "told_notice_at"), ("turns_on", "told_end_at")


def remind_all() -> int:
    """Tell of the days that are near, in every tenant; return of how many."""
    today, told = timezone.localdate(), 0
    for day, column in (NOTICE, END):
        with all_tenants("days that are near are found over all tenants"):
            near = Q(**{f"{day}__gte": today, f"{day}__lte": today + AHEAD, column: None})
            due = Terms.objects.filter(near, contract__gone_at=None, contract__isnull=False).order_by(day, "pk")
            if day == NOTICE[0]:
                due = due.exclude(notice_settled_on=F(day))
            found = list(due.values_list("tenant_id", "pk")[:MAX_TOLD])
        told += serve_in_turn(found, partial(_remind, day=day, column=column), what="a reminder of a contract")
    return told


def _remind(pk: int, *, day: str, column: str) -> bool:
    terms = Terms.objects.select_related("tenant", "contract", "owner").filter(pk=pk).first()
    if terms is None or terms.contract is None:
        return False
    on, is_notice = getattr(terms, day), day == NOTICE[0]
    # Somebody may have changed it, or decided about it, at this moment.
    still = Q(**{day: on}) & ~Q(notice_settled_on=on) if is_notice else Q(**{day: on})
    name = " ".join(terms.contract.title.split())[:150]
    what = "last day to give notice" if is_notice else "renews automatically" if terms.renews_itself else "ends"
    is_told = notify_once(
        terms,
        column,
        still,
        kind=DEADLINE,
        role=Role.ADMIN,
        person=_owner(terms),
        title=f"{name}, {what} on {stored(on)}",
        text=f"{_days_left(on)} {_what_follows(terms, is_notice=is_notice)}",
        url=lambda slug: reverse("contracts:detail", args=[slug, terms.platform_id]),
    )
    if is_told:
        touch_areas("contracts")
    return is_told


def _days_left(day: date) -> str:
    days = (day - timezone.localdate()).days
    return "Today." if not days else f"In {days} day{'' if days == 1 else 's'}."


def _what_follows(terms: Terms, *, is_notice: bool) -> str:
    if is_notice:
        notice = f"The notice period is {terms.notice_words}." if terms.notice_words else ""
        end = (
            f"Without notice it {'renews' if terms.renews_itself else 'ends'} on {stored(terms.turns_on)}."
            if terms.turns_on
            else ""
        )
        return f"{notice} {end}"
    months = terms.renewal_months
    return f"It renews for {months} month{'' if months == 1 else 's'}." if terms.renews_itself and months else ""


def _owner(terms: Terms) -> User | None:
    """The owner, as long as it is a member who can sign in."""
    owner = terms.owner
    return owner if owner and Membership.objects.active().filter(user=owner).exists() else None
