from portal.members.views.accepting import invitation, open_invitation
from portal.members.views.inviting import invite, resend, withdraw
from portal.members.views.members import change_role, create, members, remove

__all__ = ["change_role", "create", "invitation", "invite", "members", "open_invitation", "remove", "resend", "withdraw"]
