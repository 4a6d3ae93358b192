"""Inviting people from a form, whichever page has it: invite, send the email, tell the person who asked."""

import logging

from django.conf import settings
from django.contrib import messages
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse

from portal.members import services
from portal.members.forms import InviteForm
from portal.members.models import Invitation
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role
from portal.users.mail_limits import consume_mail_limit
from portal.users.models import User

logger = logging.getLogger(__name__)

TOO_MANY = "Too many invitations were sent to this address, or by you. Try again in a few hours."


def send_invitation(request: TenantRequest, form: InviteForm) -> None:
    """Invite whom a valid form names, and tell the person who asked what came of it."""
    email, role = form.cleaned_data["email"], form.cleaned_data["role"]
    if not consume_mail_limit(request, email):
        messages.error(request, TOO_MANY)
        return
    try:
        invitation, token = services.invite(request.tenant, email=email, role=role, by=request.membership)
    except (services.AlreadyMember, services.RoleTooHigh, services.TooSoon) as error:
        messages.error(request, error_message(error))
    else:
        mail_invitation(request, invitation, token)


def mail_invitation(request: TenantRequest, invitation: Invitation, token: str) -> None:
    """Mail the link, and tell the person who asked what came of it."""
    if mail_link(invitation, token, by=request.user):
        messages.success(request, f"Invitation sent to {invitation.email}.")
    else:
        messages.error(request, f"The email to {invitation.email} could not be sent. Resend the invitation in a minute.")


def mail_link(invitation: Invitation, token: str, *, by: User) -> bool:
    """Mail the link of an invitation; False when the mail server did not take it."""
    tenant, url = invitation.tenant, settings.PUBLIC_URL + reverse("open_invitation", args=[token])
    context = {
        "tenant": tenant,
        "by": by,
        "role": Role(invitation.role),
        "url": url,
        "invitation": invitation,
    }
    subject = " ".join(f"You're invited to {tenant}".split())
    try:
        send_mail(subject, render_to_string("members/invitation.txt", context), None, [invitation.email])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("an invitation could not be mailed")
        return False
    return True


def error_message(error: Exception) -> str:
    """Say why a change of the members was refused."""
    if isinstance(error, services.LastOwner):
        return "A tenant needs at least one owner. Make someone else an owner first."
    if isinstance(error, services.AlreadyMember):
        return f"{error} is already a member. Change their role in the list."
    if isinstance(error, services.TooSoon):
        return f"An email to {error} was sent less than a minute ago. Try again in a minute."
    return "This role is higher than yours."
