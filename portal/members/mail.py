"""Mail to the members of a tenant who can do something about it."""

import logging
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from portal.tenants.models import Membership, Role, Tenant, TenantModel
from portal.users.models import User

logger = logging.getLogger(__name__)


def mail_once(row: TenantModel, column: str, still: Q = Q(), **mail: Any) -> bool:  # noqa: B008 - a Q never changes
    """Mail the members of a row's tenant about it, if it is `still` so and the column says that nobody did.

    It is claimed first, so that two sweeps do not both write; a mail server that is down is tried again.
    """
    rows = type(row).objects.filter(pk=row.pk)
    if not rows.filter(still, **{column: None}).update(**{column: timezone.now()}):
        return False
    is_told = mail_members(row.tenant, **mail)
    if not is_told:
        rows.update(**{column: None})
    return is_told


def mail_members(
    tenant: Tenant,
    *,
    role: Role,
    subject: str,
    template: str,
    page: str,
    page_args: Sequence[str] = (),
    person: User | None = None,
    **context: Any,
) -> bool:
    """Mail everybody from a role on, or one person, with the address of a page; False when the mail server did not take it."""
    url = settings.PUBLIC_URL + reverse(page, args=[tenant.slug, *page_args])
    text = render_to_string(template, {"tenant": tenant, "url": url, **context})
    people = Membership.objects.filter(tenant=tenant, user__is_active=True)
    people = people.filter(user=person) if person else people.filter(role__gte=role)
    try:
        for address in people.values_list("user__email", flat=True):
            send_mail(subject, text, None, [address])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("members could not be mailed: %s", template)
        return False
    return True
