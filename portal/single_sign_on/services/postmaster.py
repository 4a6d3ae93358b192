"""Proving a mail domain by a mail to its postmaster, an address that only the domain's owner reads (RFC 2142).

A link proves it for so long; before that ends, the postmaster is asked again.
"""

import logging
import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from portal.single_sign_on.models import MailDomain
from portal.single_sign_on.services.domains import ProvenElsewhere, due_for_mail, note, note_proof
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.turns import serve_in_turn
from portal.users.models import User

logger = logging.getLogger(__name__)

LINK_LASTS = timedelta(days=7)
MIN_PAUSE = timedelta(minutes=10)
"""A postmaster gets no more of these mails than somebody needs who waits for one."""


class MailedJustNow(Exception):
    """The postmaster was mailed a moment ago."""


class NoSuchLink(Exception):
    """The link was used, replaced, or is too old."""


def mail_postmaster(domain: MailDomain, *, actor: User | None) -> None:
    """Mail the postmaster of a domain a link that proves it; the one before is worth nothing then.

    Raises MailedJustNow; an OSError of the mail server, after which the next try may come at once.
    """
    token, now = secrets.token_urlsafe(32), timezone.now()
    with transaction.atomic():
        row = MailDomain.objects.select_for_update().get(pk=domain.pk)
        if row.mailed_at and now - row.mailed_at < MIN_PAUSE:
            raise MailedJustNow(domain.name)
        row.mail_digest, row.mailed_at = digest_of(token), now
        row.save(update_fields=["mail_digest", "mailed_at"])
        note("mail", row, f"Emailed {row.postmaster} a link that proves the email domain.", actor)
    url = settings.PUBLIC_URL + reverse("prove_mail_domain", args=[token])
    context = {"domain": domain, "tenant": domain.tenant, "url": url, "actor": actor}
    text = render_to_string("single_sign_on/postmaster.txt", context)
    try:
        send_mail(" ".join(f"Does {domain} belong to {domain.tenant}?".split()), text, None, [domain.postmaster])
    except OSError:
        MailDomain.objects.filter(pk=domain.pk).update(mail_digest="", mailed_at=None)
        raise


def ask_again() -> None:
    """Mail the postmasters whose word ends soon."""
    serve_in_turn([(row.tenant_id, row) for row in due_for_mail()], _ask_again, what="asking a postmaster again")


def _ask_again(domain: MailDomain) -> None:
    try:
        mail_postmaster(domain, actor=None)
    except (MailedJustNow, OSError) as error:
        logger.info("a postmaster of tenant %s was not mailed: %s", domain.tenant_id, type(error).__name__)


def find_by_link(token: str) -> MailDomain | None:
    """Return the domain that a link proves; None for one that proves nothing any more."""
    with all_tenants("a link names its domain before there is a tenant"):
        rows = MailDomain.objects.select_related("tenant", "added_by").filter(tenant__closed_at=None)
        return rows.filter(mail_digest=digest_of(token), mailed_at__gt=timezone.now() - LINK_LASTS).first()


def prove_by_link(token: str) -> MailDomain:
    """Note that whoever reads the postmaster's mail gives the domain to the tenant. Raises NoSuchLink, ProvenElsewhere."""
    found = find_by_link(token)
    if found is None:
        raise NoSuchLink
    with tenant_scope(found.tenant_id):
        try:
            with transaction.atomic():
                # Locked: a link is used once.
                if not MailDomain.objects.select_for_update().filter(pk=found.pk, mail_digest=found.mail_digest).exists():
                    raise NoSuchLink
                note_proof(found, None, is_by_mail=True)
        except IntegrityError as error:
            raise ProvenElsewhere(found.name) from error
    return found


def digest_of(token: str) -> str:
    """Return what is kept of a token: who reads the database cannot use a link."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
