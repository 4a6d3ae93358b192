"""Mail to those who were asked: the link itself, and reminders, at most one a day."""

import logging
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from portal.audit.services import record
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Asked, Assignment, ExpertLink, Response, ResponseQuerySet
from portal.questionnaires.models.experts import AssignmentQuerySet
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.experts import recount_asked
from portal.questionnaires.services.owners import member_named
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import all_tenants, current_tenant_id
from portal.users.dates import as_mailed
from portal.users.models import User
from portal.work_items.services import members_named, owner_of

logger = logging.getLogger(__name__)

NOT_OPEN = "The link no longer works, they have answered, or the questionnaire is closed."
NOT_THEIRS = "They have answered, the question is no longer theirs, or the questionnaire is closed."
ONCE_A_DAY = "They were notified less than a day ago. You can remind them once a day."
NO_MAIL = "The mail server did not accept the email. Try again in a moment."
NOBODY_TO_MAIL = "We don't know the owner's email address: no member, or more than one, has the name that the platform gives."
MAX_AT_ONCE = 200


def mail_expert_links(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> None:
    """Mail the links of the tenant in scope that nobody has mailed yet, one mail for each expert and asking.

    As far as the time goes: a mail server that takes its time leaves the others to the next sweep.
    """
    deadline = time.monotonic() + seconds
    links = ExpertLink.objects.alive(timezone.now()).unsent().needed().select_related("response__questionnaire", "tenant")
    for theirs in _by_mail(links.order_by("id")[:MAX_AT_ONCE]):
        ours = [link for link in theirs if _claim(link, "mailed_at")]
        if ours and not _mail_links(ours, is_reminder=False):
            _give_back(ours, "mailed_at")
        touch_areas("questionnaires")
        if time.monotonic() > deadline:
            return


def nudge_expert(link: ExpertLink, *, member: Membership) -> None:
    """Remind an expert now, of everything that is open of the same asking. Raises NotAllowed."""
    _check(member)
    now = timezone.now()
    open_ones = ExpertLink.objects.alive(now).unanswered().asked_with(link).needed()
    if not open_ones.filter(pk=link.pk).exists():
        raise NotAllowed(NOT_OPEN)
    rested = open_ones.rested(now).select_related("response__questionnaire", "tenant").order_by("id")
    ours = [each for each in rested if _claim(each, "nudged_at")]
    if not ours:
        raise NotAllowed(ONCE_A_DAY)
    if not _remind_expert(ours, member):
        raise NotAllowed(NO_MAIL)


def nudge_owner(assignment: Assignment, *, member: Membership) -> None:
    """Remind the owner of a question now, if they are a member here. Raises NotAllowed."""
    _check(member)
    open_ones = Assignment.objects.open().filter(pk=assignment.pk)
    if not open_ones.exists():
        raise NotAllowed(NOT_THEIRS)
    owner = member_named(assignment.response.owner_name)
    if owner is None:
        raise NotAllowed(NOBODY_TO_MAIL)
    if not open_ones.rested(timezone.now()).exists() or not _claim(assignment, "nudged_at"):
        raise NotAllowed(ONCE_A_DAY)
    if not _remind_owner(owner, [assignment], member):
        raise NotAllowed(NO_MAIL)


def nudge_those_due(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> None:
    """Remind those in the tenant in scope whose inner due date is near or has just passed, as far as the time goes."""
    now, deadline = timezone.now(), time.monotonic() + seconds
    links = ExpertLink.objects.alive(now).unanswered().needed().filter(mailed_at__isnull=False)
    due = links.pressing(now).rested(now).select_related("response__questionnaire", "tenant").order_by("id")
    for theirs in _by_mail(due[:MAX_AT_ONCE]):
        if ours := [link for link in theirs if _claim(link, "nudged_at")]:
            _remind_expert(ours, None)
        if time.monotonic() > deadline:
            return
    for owner, given in _by_owner(Assignment.objects.open().pressing(now).rested(now)):
        if mine := [each for each in given if _claim(each, "nudged_at")]:
            _remind_owner(owner, mine, None)
        if time.monotonic() > deadline:
            return


def forget_expired() -> None:
    """Questions of the tenant in scope whose links have run out wait for nobody any more."""
    keys = list(_asked_in_vain(timezone.now()).values_list("pk", flat=True)[:MAX_AT_ONCE])
    if keys:
        with transaction.atomic():
            recount_asked(keys)


def tenants_with_mail() -> list[int]:
    """Return the tenants whose links wait to be mailed."""
    with all_tenants("the sweep mails the links of every tenant"):
        rows = ExpertLink.objects.alive(timezone.now()).unsent().needed()
        return list(rows.order_by("tenant_id").values_list("tenant_id", flat=True).distinct())


def _asked_in_vain(now: datetime) -> ResponseQuerySet:
    """Return the questions that wait for an expert although every link to them has run out."""
    alive = ExpertLink.objects.alive(now).unanswered().filter(response=OuterRef("pk"))
    return Response.objects.filter(~Exists(alive), asked=Asked.WAITING)


def tenants_with_questions() -> set[int]:
    """Return the tenants where somebody may have to be reminded, or has been asked in vain."""
    now = timezone.now()
    with all_tenants("the sweep reminds for every tenant"):
        asked = ExpertLink.objects.alive(now).unanswered().needed()
        links = asked.pressing(now).rested(now).values_list("tenant_id", flat=True)
        owners = Assignment.objects.open().pressing(now).rested(now).values_list("tenant_id", flat=True)
        in_vain = _asked_in_vain(now).order_by("tenant_id").values_list("tenant_id", flat=True)
        return {*links.distinct(), *owners.distinct(), *in_vain.distinct()}


def _by_mail(links: Iterable[ExpertLink]) -> Iterable[list[ExpertLink]]:
    """Put together what goes into one mail: what one person was asked at once, and their single questions."""
    mails: dict[tuple[str, UUID | None], list[ExpertLink]] = {}
    for link in links:
        mails.setdefault((link.email, link.asking), []).append(link)
    return mails.values()


def _by_owner(asked: AssignmentQuerySet) -> list[tuple[User, list[Assignment]]]:
    """Put together what goes into one mail to a member. Owners who cannot be mailed take no place of those who can."""
    tenant_id = current_tenant_id()
    names = list(asked.order_by().values_list("response__owner_name", flat=True).distinct())
    members = members_named((tenant_id, name) for name in names)
    owners = {name: owner_id for name in names if (owner_id := owner_of(members, tenant_id, name))}
    rows = asked.filter(response__owner_name__in=owners).select_related("response__questionnaire", "tenant")
    mails: dict[int, list[Assignment]] = {}
    for row in rows.order_by("due_at", "id")[:MAX_AT_ONCE]:
        mails.setdefault(owners[row.response.owner_name], []).append(row)
    people = User.objects.in_bulk(mails)
    return [(people[owner_id], given) for owner_id, given in mails.items()]


def _claim(row: ExpertLink | Assignment, column: str) -> bool:
    """Claim a mail before it is sent, so that two workers do not both send it."""
    before = {column: getattr(row, column)}
    return bool(type(row).objects.filter(pk=row.pk, **before).update(**{column: timezone.now()}))


def _give_back(rows: Iterable[ExpertLink | Assignment], column: str) -> None:
    """The mail server did not take it: the next sweep tries again."""
    for row in rows:
        type(row).objects.filter(pk=row.pk).update(**{column: getattr(row, column)})


def _remind_expert(links: list[ExpertLink], member: Membership | None) -> bool:
    """Mail a reminder that was claimed; without a member the portal does so by itself. False when it could not be sent."""
    if not _mail_links(links, is_reminder=True):
        _give_back(links, "nudged_at")
        return False
    for link in links:
        _record("response.expert.remind", "Reminded an outside expert", link, member, {"link": link.pk})
    return True


def _remind_owner(owner: User, given: list[Assignment], member: Membership | None) -> bool:
    if not _mail_owner(owner, given):
        _give_back(given, "nudged_at")
        return False
    for assignment in given:
        _record("response.remind", "Reminded the owner", assignment, member, {"owner": assignment.response.owner_name})
    return True


def _record(
    action: str, summary: str, asked: ExpertLink | Assignment, member: Membership | None, details: dict[str, object]
) -> None:
    response = asked.response
    target = ("response", response.platform_id[:100])
    facts = {"questionnaire": response.questionnaire.platform_id, **details}
    words = f"{summary}: “{response.question[:150]}”."
    record(action, target=target, summary=words, actor=member.user if member else None, details=facts)


def _mail_links(links: list[ExpertLink], *, is_reminder: bool) -> bool:
    """Mail questions: with one address for those that were asked together, else with one for each."""
    first = links[0]
    whole = settings.PUBLIC_URL + reverse("expert_list", args=[first.asking_token]) if first.asking else ""
    entries = [(link, "" if whole else settings.PUBLIC_URL + reverse("expert", args=[link.token])) for link in links]
    subject = f"{'A question' if len(links) == 1 else f'{len(links)} questions'} from {first.tenant}"
    context = {"tenant": first.tenant, "entries": entries, "first": first, "whole": whole}
    return _mail(first.email, f"Reminder: {subject}" if is_reminder else subject, "questionnaires/expert_links.txt", context)


def _mail_owner(owner: User, given: list[Assignment]) -> bool:
    """Mail an owner of what waits for them: one mail, however many questions there are."""
    tenant = Tenant.objects.get(pk=given[0].tenant_id)
    ids = [(tenant.slug, each.response.questionnaire.platform_id, each.response.platform_id) for each in given]
    urls = [settings.PUBLIC_URL + reverse("questionnaires:response", args=one) for one in ids]
    waits = "a question is waiting" if len(given) == 1 else f"{len(given)} questions are waiting"
    context = {"entries": list(zip(given, urls, strict=True))}
    return _mail(owner.email, f"Reminder: {waits} for you at {tenant}", "questionnaires/nudge.txt", context)


def _mail(email: str, subject: str, template: str, context: dict[str, Any]) -> bool:
    with as_mailed():
        text = render_to_string(template, context)
    try:
        send_mail(" ".join(subject.split()), text, None, [email])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("somebody who was asked could not be mailed: %s", template)
        return False
    return True


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
