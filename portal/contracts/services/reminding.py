"""Mail before the last day to give notice and before the end: to the owner, else to the admins; once for each day."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from portal.contracts.models import Terms
from portal.members.mail import mail_once
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.models import User

AHEAD = timedelta(days=30)
"""So long before the day; a contract that is noted later than that is told of at once."""
MAX_MAILED = 50
NOTICE, END = ("notice_on", "told_notice_at"), ("turns_on", "told_end_at")


def remind_all() -> int:
    """Send the mails that are due, of every tenant; return how many were sent."""
    today, told = timezone.localdate(), 0
    for day, column in (NOTICE, END):
        with all_tenants("days that are near are found over all tenants"):
            near = Q(**{f"{day}__gte": today, f"{day}__lte": today + AHEAD, column: None})
            due = Terms.objects.filter(near, contract__gone_at=None, contract__isnull=False).order_by(day, "pk")
            found = list(due.values_list("tenant_id", "pk")[:MAX_MAILED])
        for tenant_id, pk in found:
            with tenant_scope(tenant_id):
                told += _remind(pk, day, column)
    return told


def _remind(pk: int, day: str, column: str) -> bool:
    terms = Terms.objects.select_related("tenant", "contract", "owner").filter(pk=pk).first()
    if terms is None or terms.contract is None:
        return False
    on, is_notice = getattr(terms, day), day == NOTICE[0]
    name = " ".join(terms.contract.title.split())[:150]
    what = "last day to give notice" if is_notice else "renews automatically" if terms.renews_itself else "ends"
    is_told = mail_once(
        terms,
        column,
        Q(**{day: on}),  # somebody may have changed it at this moment
        role=Role.ADMIN,
        person=_owner(terms),
        subject=f"{terms.tenant}: {name}, {what} on {on.day} {on:%B %Y}",
        template="contracts/reminder_mail.txt",
        page="contracts:detail",
        page_args=[terms.platform_id],
        contract=terms.contract,
        terms=terms,
        day=on,
        is_notice=is_notice,
        days_left=(on - timezone.localdate()).days,
    )
    if is_told:
        touch_areas("contracts")
    return is_told


def _owner(terms: Terms) -> User | None:
    """The owner, as long as it is a member who can sign in."""
    owner = terms.owner
    members = Membership.objects.filter(tenant_id=terms.tenant_id, user__is_active=True)
    return owner if owner and members.filter(user=owner).exists() else None
