"""Rate limits of emails that a person has sent to an address of their choice: invitations, a domain's postmaster."""

from allauth.core import ratelimit

from portal.users.requests import SignedInRequest


def consume_mail_limit(request: SignedInRequest, email: str) -> bool:
    """Count one email; False once the person has sent too many, to this address or in all, or everybody together to it (S9)."""
    address = email.strip().lower()
    of_person = ratelimit.consume(request, action="invitation", key=f"{request.user.pk} {address}")
    return bool(of_person and ratelimit.consume(request, action="invitation_to_address", key=address))
