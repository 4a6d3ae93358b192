"""What a person types is kept before it is saved: a lost session, tab or link loses no text (guarantee W2)."""

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied

from portal.lib.storable import storable
from portal.questionnaires.answers import Typed
from portal.questionnaires.models import Draft, Response
from portal.tenants.models import Membership, Role


def keep_draft(response: Response, *, member: Membership, seen: str, typed: Mapping[str, Typed]) -> None:
    """Keep what stands in the touched controls; when none is touched any more, there is nothing left to keep."""
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    if not typed:
        discard_draft(response, member=member)
        return
    # Two tabs may send the first draft at the same moment.
    Draft.objects.update_or_create(
        response=response, user=member.user, defaults={"seen": seen[:64], "typed": storable(dict(typed))}
    )


def discard_draft(response: Response, *, member: Membership) -> None:
    Draft.objects.of(response, member.user).delete()


def draft_of(response: Response, *, member: Membership) -> Draft | None:
    return Draft.objects.of(response, member.user).first()
