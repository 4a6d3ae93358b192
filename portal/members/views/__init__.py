from portal.members.views.imports import create_tenants, import_tenants
from portal.members.views.invitation_link import decline, invitation, open_invitation
from portal.members.views.invitations import invite, resend, withdraw
from portal.members.views.members import change_role, create, leave, members, remove

__all__ = [
    "change_role",
    "create",
    "create_tenants",
    "decline",
    "import_tenants",
    "invitation",
    "invite",
    "leave",
    "members",
    "open_invitation",
    "remove",
    "resend",
    "withdraw",
]
