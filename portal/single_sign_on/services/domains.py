"""Mail domains: proven by a DNS record that only their owner can set, and looked at again each day."""

import logging
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from portal.audit.services import record
from portal.lib.free_mail import is_free_mail
from portal.notifications.kinds import CONNECTION
from portal.notifications.services import notify_once
from portal.single_sign_on.dns import Unanswered, txt_values
from portal.single_sign_on.models import MailDomain
from portal.single_sign_on.selectors import provider_of_tenant
from portal.single_sign_on.services.providers import StillRequired
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.users.models import User
from portal.users.sessions import end_sessions_through

logger = logging.getLogger(__name__)

DAY = timedelta(days=1)
SOON = timedelta(minutes=10)
"""Until the next look at a domain that somebody waits for."""
WAITED_FOR = timedelta(days=2)
"""After so long nobody waits any more, and a look a day is enough."""
UNANSWERED_FOR = timedelta(days=3)
"""Name servers that say nothing for so long no longer prove anything."""
WORD_HOLDS = timedelta(days=90)
"""So long after a postmaster's word they are asked again."""
ASKED_AHEAD, ASKED_EACH = timedelta(days=14), timedelta(days=5)
"""When the postmaster is asked again before that ends, and how often."""
MAX_DOMAINS = 50
"""More than a company has; fewer than would keep the name servers busy."""


class FreeMail(Exception):
    """Everybody gets an address there: it can belong to no tenant."""


class TooManyDomains(Exception):
    """The tenant has as many domains as one may."""


class ProvenElsewhere(Exception):
    """Another tenant has proven this domain, and still does."""


@transaction.atomic
def add_domain(tenant: Tenant, name: str, *, actor: User) -> MailDomain:
    """Add a mail domain that is yet to be proven; the same one twice is one."""
    if is_free_mail(name):
        raise FreeMail(name)
    if MailDomain.objects.count() >= MAX_DOMAINS:
        raise TooManyDomains(tenant.name)
    start = {"token": secrets.token_urlsafe(24), "added_by": actor, "check_at": timezone.now() + SOON}
    domain, is_new = MailDomain.objects.get_or_create(name=name, defaults=start)
    if is_new:
        note("add", domain, f"Added the email domain {name}.", actor)
    return domain


@transaction.atomic
def remove_domain(domain: MailDomain, *, actor: User) -> None:
    """Remove a mail domain: nobody with such an address comes in through the provider any more.

    Raises StillRequired for the last proven one while members have to come through the provider.
    """
    tenant = Tenant.objects.select_for_update().get(pk=domain.tenant_id)
    if tenant.required_provider and domain.proven_at and not _other_proven(domain):
        raise StillRequired(domain.name)
    note("remove", domain, f"Removed the email domain {domain}.", actor)
    if provider := provider_of_tenant():
        end_sessions_through(provider.key, domain=domain.name)
    domain.delete()


def _other_proven(domain: MailDomain) -> bool:
    return MailDomain.objects.exclude(proven_at=None).exclude(pk=domain.pk).exists()


def check_domain(domain: MailDomain, *, actor: User | None = None) -> bool:
    """Look for the record and note what was found; return whether the domain is proven. Raises Unanswered, ProvenElsewhere."""
    try:
        is_there = domain.record_value in txt_values(domain.record_name)
    except Unanswered:
        _note_unanswered(domain)
        raise
    if not is_there:
        _note_missing(domain)
        return False
    try:
        with transaction.atomic():
            note_proof(domain, actor)
    except IntegrityError as error:
        MailDomain.objects.filter(pk=domain.pk).update(checked_at=timezone.now(), check_at=timezone.now() + DAY)
        raise ProvenElsewhere(domain.name) from error
    return True


def sweep() -> None:
    """Look at every domain whose time has come, and tell owners of those that were lost."""
    with all_tenants("each tenant's domains fall due"):
        due = list(MailDomain.objects.filter(check_at__lte=timezone.now(), tenant__closed_at=None).order_by("check_at")[:100])
        untold = list(MailDomain.objects.filter(LOST, told_at=None, tenant__closed_at=None))
    # Name servers that are silent cost seconds each: the others' turn comes with the next sweep.
    serve_in_turn([(row.tenant_id, row) for row in due], _look_at, what="the look at an email domain")
    to_tell = {row.pk: (row.tenant_id, row) for row in (*untold, *due)}
    serve_in_turn(to_tell.values(), _tell_if_lost, what="telling of an email domain")


def _look_at(domain: MailDomain) -> None:
    try:
        check_domain(domain)
    except (Unanswered, ProvenElsewhere) as error:
        logger.info("the email domain of tenant %s is not proven: %s", domain.tenant_id, type(error).__name__)


LOST = Q(proven_at=None, lost_at__isnull=False)


def _tell_if_lost(domain: MailDomain) -> None:
    notify_once(
        domain,
        "told_at",
        LOST,
        kind=CONNECTION,
        role=Role.OWNER,
        title=f"{domain} is no longer proven",
        text="Its DNS record is missing, or its postmaster did not confirm it again. Until it is proven again, no one with an "
        "address there can use your company's sign-in. Everyone who signed in that way was signed out.",
        url=lambda slug: reverse("single_sign_on:settings", args=[slug]),
    )


def note_proof(domain: MailDomain, actor: User | None, *, is_by_mail: bool = False) -> None:
    """Note that a domain is proven: its record is there, or its postmaster says so. Raises IntegrityError if another's is."""
    with all_tenants("a tenant that was closed holds no domain"):
        MailDomain.objects.filter(name=domain.name, tenant__closed_at__isnull=False).update(proven_at=None)
    row = MailDomain.objects.select_for_update().get(pk=domain.pk)
    now = timezone.now()
    is_new = row.proven_at is None
    row.proven_at, row.checked_at = row.proven_at or now, now
    row.seen_at = row.seen_at if is_by_mail else now
    row.lost_at, row.told_at, row.check_at = None, None, now + DAY
    # A record goes before a word: with it nobody has to be asked again.
    row.confirmed_until = now + WORD_HOLDS if is_by_mail else None
    row.mail_digest = ""
    row.save()
    if is_new or is_by_mail:
        how = f", confirmed by {row.postmaster}" if is_by_mail else ""
        note("prove", row, f"Proved the email domain {row}{how}.", actor)


@transaction.atomic
def _note_missing(domain: MailDomain) -> None:
    row = MailDomain.objects.select_for_update().get(pk=domain.pk)
    now = timezone.now()
    row.checked_at = now
    if row.proven_at is not None and row.confirmed_until and now < row.confirmed_until:
        row.check_at = now + DAY
        row.save()
        return
    if row.proven_at is not None:
        _lose(row)
    waited_since = row.lost_at or row.created_at
    row.check_at = now + (SOON if now - waited_since < WAITED_FOR else DAY)
    row.save()


@transaction.atomic
def _note_unanswered(domain: MailDomain) -> None:
    row = MailDomain.objects.select_for_update().get(pk=domain.pk)
    now = timezone.now()
    row.check_at = now + SOON * 6
    seen_at = row.confirmed_until or row.seen_at or row.proven_at
    if row.proven_at is not None and seen_at and now - seen_at > UNANSWERED_FOR:
        _lose(row)
    row.save()


def _lose(row: MailDomain) -> None:
    why = "its postmaster did not confirm it again" if row.confirmed_until else "its DNS record is missing"
    row.proven_at, row.confirmed_until, row.lost_at = None, None, timezone.now()
    if provider := provider_of_tenant():
        # Nobody may say any more who has such an address.
        end_sessions_through(provider.key, domain=row.name)
    note("lose", row, f"The email domain {row} is no longer proven: {why}.", None)


def due_for_mail() -> list[MailDomain]:
    """Return the domains, of all tenants, whose postmaster has to be asked again, and was not within the last days."""
    now = timezone.now()
    with all_tenants("each tenant's domains fall due"):
        ending = MailDomain.objects.filter(confirmed_until__lte=now + ASKED_AHEAD, tenant__closed_at=None)
        return list(ending.exclude(mailed_at__gt=now - ASKED_EACH).select_related("tenant")[:100])


def note(verb: str, domain: MailDomain, summary: str, actor: User | None) -> None:
    record(f"mail_domain.{verb}", target=("mail_domain", domain.name), summary=summary, actor=actor)
