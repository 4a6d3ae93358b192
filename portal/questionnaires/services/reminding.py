"""Mail before a target is missed, and once it is: to the owner where a member has that name, else to the admins."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.calendars.selectors import office_time
from portal.members.mail import mail_once
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.clocks import recalculate_clocks
from portal.questionnaires.services.owners import member_named
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants, tenant_scope
from portal.ui.times import exact_words

MAX_MAILED = 50
AGAIN_AFTER = timedelta(minutes=10)


def remind_all() -> int:
    """Send the mails that are due, of every tenant; return how many questionnaires were told of."""
    with all_tenants("targets that are near are found over all tenants"):
        due = Questionnaire.objects.present().filter(remind_at__lte=timezone.now()).order_by("remind_at")
        found = list(due.values_list("tenant_id", "pk")[:MAX_MAILED])
    told = 0
    for tenant_id, pk in found:
        with tenant_scope(tenant_id):
            told += _remind(pk)
    return told


def _remind(pk: int) -> bool:
    row = Questionnaire.objects.select_related("tenant", "target").present().filter(pk=pk).first()
    now = timezone.now()
    if row is None or row.remind_at is None or row.remind_at > now or row.target is None or row.target_at is None:
        return False
    is_missed = row.target_at <= now
    is_told = _mail(row, is_missed=is_missed)
    with transaction.atomic():
        held = Questionnaire.objects.select_for_update().get(pk=pk)
        if getattr(held, _column(is_missed)) is None:
            _postpone(row)
        else:
            recalculate_clocks([held])
    return is_told


def _mail(row: Questionnaire, *, is_missed: bool) -> bool:
    """Mail whoever has to know, if nobody did; False when another worker has, or the mail server did not take it."""
    with timezone.override(office_time().zone):
        at = exact_words(row.target_at) if row.target_at else ""
    return mail_once(
        row,
        _column(is_missed),
        Q(remind_at=row.remind_at),  # it may have been put on hold at this moment
        role=Role.ADMIN,
        person=member_named(row.owner_name),
        subject=f"{row.tenant}: {_one_line(row)} {'has missed its target' if is_missed else 'is near its target'}",
        template="questionnaires/target_mail.txt",
        page="questionnaires:questionnaire",
        page_args=[row.platform_id],
        questionnaire=row,
        is_missed=is_missed,
        at=at,
    )


def _column(is_missed: bool) -> str:
    return "told_missed_at" if is_missed else "warned_at"


def _one_line(row: Questionnaire) -> str:
    return " ".join(str(row).split())[:150]


def _postpone(row: Questionnaire) -> None:
    """What the mail server did not take comes again a little later, behind the others."""
    Questionnaire.objects.filter(pk=row.pk, remind_at=row.remind_at).update(remind_at=timezone.now() + AGAIN_AFTER)
