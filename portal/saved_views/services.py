"""Keep the filters of a list under a name, for oneself or for everybody."""

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portal.audit.services import record
from portal.page_refresh.services import touch_areas
from portal.saved_views.lists import ListPage, list_page
from portal.saved_views.models import OwnView, SavedView
from portal.tenants.models import Membership, Role
from portal.users.models import User

MAX_VIEWS = 30
"""Of one list that one person sees: more chips than that help nobody."""
MAX_QUERY_LENGTH = 1000
NAME_TAKEN = "There is a view with this name already. Choose another name, or rename that one."


class NotSaved(Exception):
    """A view cannot be kept like this; the message says why, for people."""


def save_view(page: ListPage, name: str, *, query: str, is_shared: bool, member: Membership) -> SavedView:
    """Keep filters under a name. Raises NotSaved, and PermissionDenied for a role that may not."""
    if not member.may(max(Role.ADMIN if is_shared else Role.ANALYST, page.role)):
        raise PermissionDenied
    if SavedView.objects.seen_by(member.user).filter(list_key=page.key).count() >= MAX_VIEWS:
        raise NotSaved(f"There are {MAX_VIEWS} views already. Delete one that no one needs.")
    owner = None if is_shared else member.user
    view = SavedView(list_key=page.key, owner=owner, name=name, query=page.normalized(query))
    if len(view.query) > MAX_QUERY_LENGTH:
        raise NotSaved("These filters are too long to be saved. Shorten the search.")
    _store(view, member, "Saved")
    return view


def save_own_view(user: User, list_key: str, name: str, *, query: str) -> OwnView:
    """Keep filters over all tenants of a person under a name; a view of this name is replaced. Raises NotSaved."""
    views = OwnView.objects.filter(owner=user, list_key=list_key)
    if len(query) > MAX_QUERY_LENGTH:
        raise NotSaved("These filters are too long to be saved. Shorten the search.")
    if views.exclude(name=name).count() >= MAX_VIEWS:
        raise NotSaved(f"There are {MAX_VIEWS} views already. Delete one that no one needs.")
    view, _ = views.update_or_create(owner=user, list_key=list_key, name=name, defaults={"query": query})
    return view


def delete_own_view(user: User, list_key: str, view_id: int) -> str | None:
    """Delete a view over all tenants of a person and return its name; None where they have no such view."""
    view = OwnView.objects.filter(owner=user, list_key=list_key, pk=view_id).first()
    if view is None:
        return None
    view.delete()
    return view.name


def rename_view(view: SavedView, *, name: str, member: Membership) -> SavedView:
    """Give a view another name. Raises NotSaved, and PermissionDenied for somebody else's."""
    _check(view, member)
    view.name = name
    _store(view, member, "Renamed")
    return view


@transaction.atomic
def delete_view(view: SavedView, *, member: Membership) -> None:
    """Delete a view. Raises PermissionDenied for somebody else's."""
    _check(view, member)
    _record(view, member, "Deleted")
    view.delete()


def may_change(view: SavedView, member: Membership) -> bool:
    """Everybody's views are the admins' to change; one's own are one's own."""
    return member.may(Role.ADMIN) if view.is_shared else member.may(Role.ANALYST) and view.owner_id == member.user_id


def _check(view: SavedView, member: Membership) -> None:
    if not may_change(view, member):
        raise PermissionDenied


def _store(view: SavedView, member: Membership, verb: str) -> None:
    try:
        with transaction.atomic():
            view.save()
            _record(view, member, verb)
    except IntegrityError:
        raise NotSaved(NAME_TAKEN) from None


def _record(view: SavedView, member: Membership, verb: str) -> None:
    """What everybody sees is everybody's business; one's own views are not."""
    page = list_page(view.list_key)
    if page:
        touch_areas(page.area)
    if view.is_shared:
        label = page.label if page else view.list_key
        summary = f"{verb} the view {view} of {label} for everyone."
        record("saved_view.change", target=("saved_view", str(view.pk)), summary=summary, actor=member.user)
