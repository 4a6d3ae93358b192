"""Objects that repeat a part of another one, kept in step with it."""

from collections.abc import Callable

from portal.sandbox.api.route import Call
from portal.sandbox.store import Json


def rewrite(call: Call, kind: str, change: Callable[[Json], Json | None]) -> None:
    """Save every object of a kind that `change` gives back altered, delete those for which it gives None."""
    for body in call.sandbox.objects.all(call.tenant.id, kind):
        changed = change(dict(body))
        if changed is None:
            call.sandbox.objects.delete(call.tenant.id, kind, body["id"])
        elif changed != body:
            call.sandbox.objects.save(call.tenant.id, kind, changed)
