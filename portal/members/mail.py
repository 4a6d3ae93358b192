"""Mail to the members of a tenant who can do something about it."""

import logging
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from portal.tenants.models import Membership, Role, Tenant

logger = logging.getLogger(__name__)


def mail_members(tenant: Tenant, *, role: Role, subject: str, template: str, page: str, **context: Any) -> bool:
    """Mail everybody from a role on, with the address of a page of the tenant; False when the mail server did not take it."""
    url = settings.PUBLIC_URL + reverse(page, args=[tenant.slug])
    text = render_to_string(template, {"tenant": tenant, "url": url, **context})
    people = Membership.objects.filter(tenant=tenant, role__gte=role, user__is_active=True)
    try:
        for address in people.values_list("user__email", flat=True):
            send_mail(subject, text, None, [address])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("members could not be mailed: %s", template)
        return False
    return True
