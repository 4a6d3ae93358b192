"""The budget of the token endpoint as if time had passed."""

from portal.connections.models import TokenEndpoint


def forget_calls() -> None:
    """Have the whole budget free."""
    TokenEndpoint.objects.update(calls=[], closed_at=None)


def let_pass(seconds: float) -> None:
    """Make every call to the token endpoint that much older."""
    for endpoint in TokenEndpoint.objects.all():
        endpoint.calls = [(wall - seconds, boot, up - seconds) for wall, boot, up in endpoint.calls]
        endpoint.save(update_fields=["calls"])
