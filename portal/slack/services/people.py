"""Who has pressed a button in Slack: a member of the tenant, by an email address that both sides have proven."""

from typing import Any

from allauth.account.models import EmailAddress

from portal.notifications.models import TeamChannel
from portal.notifications.slack_api import call
from portal.tenants.models import Membership, Role
from portal.users.factors import has_second_factor


class NotAllowed(Exception):
    """This person does not decide here; the message says why, for them to read."""


def member_who(row: TeamChannel, user_id: str) -> Membership:
    """Return the member that a person in Slack is, if they may decide. Raises NotAllowed; NotTaken and NotConfirmed of Slack.

    What the tenant requires of those who open its pages holds here too. Slack cannot show that somebody came in through the
    company's sign-in, so where that is required nothing is decided in Slack.
    """
    email = _proven_address(row, call(row, "users.info", user=user_id).get("user"))
    address = EmailAddress.objects.filter(email=email, verified=True, user__is_active=True).first() if email else None
    members = Membership.objects.select_related("user", "tenant").filter(tenant=row.tenant_id)
    member = members.filter(user=address.user_id).first() if address else None
    if member is None:
        raise NotAllowed("Your Slack email isn't one that a member of this tenant has verified in the portal.")
    if member.tenant.required_provider:
        raise NotAllowed(f"{member.tenant} requires company sign-in. Open the request in the portal to decide it.")
    if member.tenant.requires_second_factor and not has_second_factor(member.user):
        raise NotAllowed(f"{member.tenant} requires a second factor. Set one up in the portal, then try again.")
    if not member.may(Role.APPROVER):
        raise NotAllowed(f"You need the {Role.APPROVER.label} role to decide access requests.")
    return member


def _proven_address(row: TeamChannel, user: Any) -> str:
    """Return the address of somebody of this very workspace, in lower case; empty for guests, bots and people of others.

    In a shared channel people of other companies press buttons too, whose address their own admins have written down.
    """
    if not isinstance(user, dict) or user.get("team_id") != row.workspace:
        return ""
    if any(user.get(each) for each in ("deleted", "is_bot", "is_stranger", "is_restricted", "is_ultra_restricted")):
        return ""
    profile = user.get("profile")
    email = profile.get("email") if isinstance(profile, dict) else None
    return email.lower() if isinstance(email, str) and user.get("is_email_confirmed") is True else ""
