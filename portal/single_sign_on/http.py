"""Asking identity providers, whose addresses tenants write down (guarantee S4)."""

from django.conf import settings

from portal.lib import outside_http


def provider_session() -> outside_http.OutsideSession:
    """Return a session for the calls of one sign-in or one check."""
    return outside_http.OutsideSession(settings.IDENTITY_PROVIDER_PRIVATE_HOSTS)


def is_allowed(url: object) -> bool:
    """Say whether an address may be one of a provider: https, or this machine where the operator allows it."""
    return outside_http.is_allowed(url, private_hosts=settings.IDENTITY_PROVIDER_PRIVATE_HOSTS)
