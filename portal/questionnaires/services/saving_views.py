"""Filters that people keep under a name, for themselves or for everybody."""

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import SavedView
from portal.questionnaires.services.deciding import NotAllowed
from portal.tenants.models import Membership, Role

MAX_VIEWS = 30
"""That one person sees: more chips than that help nobody."""
NAME_TAKEN = "There is a view with this name already. Choose another name, or rename that one."


def save_view(name: str, *, query: str, is_shared: bool, member: Membership) -> SavedView:
    """Keep filters under a name. Raises NotAllowed."""
    if not member.may(Role.ADMIN if is_shared else Role.ANALYST):
        raise PermissionDenied
    if SavedView.objects.of(member.user).count() >= MAX_VIEWS:
        raise NotAllowed(f"There are {MAX_VIEWS} views already. Delete one that nobody needs.")
    view = SavedView(owner=None if is_shared else member.user, name=name, query=query)
    _store(view, member, "Saved")
    return view


def rename_view(view: SavedView, *, name: str, member: Membership) -> SavedView:
    """Give a view another name. Raises NotAllowed."""
    check(view, member)
    view.name = name
    _store(view, member, "Renamed")
    return view


@transaction.atomic
def delete_view(view: SavedView, *, member: Membership) -> None:
    check(view, member)
    _note(view, member, "Deleted")
    view.delete()


def may_change(view: SavedView, member: Membership) -> bool:
    """Everybody's views are the admins' to change; one's own are one's own."""
    return member.may(Role.ADMIN) if view.is_shared else member.may(Role.ANALYST) and view.owner_id == member.user_id


def check(view: SavedView, member: Membership) -> None:
    if not may_change(view, member):
        raise PermissionDenied


def _store(view: SavedView, member: Membership, verb: str) -> None:
    try:
        with transaction.atomic():
            view.save()
            _note(view, member, verb)
    except IntegrityError:
        raise NotAllowed(NAME_TAKEN) from None


def _note(view: SavedView, member: Membership, verb: str) -> None:
    """What everybody sees is everybody's business; one's own views are not."""
    touch_areas("questionnaires")
    if view.is_shared:
        target = ("saved_view", str(view.pk))
        record("questionnaire.view", target=target, summary=f"{verb} the view {view} for everybody.", actor=member.user)
