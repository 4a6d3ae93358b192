"""Which audit rows something leaves (guarantee R8: a change of state has its row)."""

from collections.abc import Iterator
from contextlib import contextmanager

from portal.audit.models import Entry


@contextmanager
def recorded(*actions: str, by: str | None = None, in_any_order: bool = False) -> Iterator[list[Entry]]:
    """Expect exactly these actions, in their order; `by`: the name of the person who stands in all of them.

    The list that it gives is filled at the end, for those who look at summaries or details. Runs in a tenant's scope.
    """
    newest = Entry.objects.order_by("-id").values_list("pk", flat=True).first() or 0
    found: list[Entry] = []
    yield found
    found += Entry.objects.filter(pk__gt=newest).order_by("pk")
    left = [entry.action for entry in found]
    wanted = list(actions)
    assert sorted(left) == sorted(wanted) if in_any_order else left == wanted, f"{left} instead of {wanted}"
    if by is not None:
        people = {entry.actor_name for entry in found}
        assert people == {by}, f"{people} instead of {by}"
