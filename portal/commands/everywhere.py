"""The search over all tenants of one person: which of them have the words, and what was found in the first of those."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from portal.commands.selectors import ICONS, Group
from portal.saved_views.found import Find, Found, found_kinds
from portal.saved_views.lists import list_pages
from portal.search.indexes import MIN_PART_LENGTH
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants, tenant_scope

WHY = "one person searches all their tenants; each query names them"
TENANTS_SEARCHED = 8
"""So many are searched through at once; each of the others that may have the words is a link to its own search."""
SHOWN = 3
"""Of each kind and tenant."""


@dataclass(frozen=True)
class Kind:
    """One kind of objects, as its desk has registered it."""

    label: str
    icon: str
    find: Find
    role: Role
    tenants_with: Callable[[str, Sequence[int]], set[int]]


def groups_everywhere(words: str, memberships: Sequence[Membership]) -> list[Group]:
    """Return the tenants of these names, then what has all of the words, by tenant; with no words the tenants alone."""
    ordered = sorted(memberships, key=lambda each: str(each.tenant).casefold())
    wanted = _wanted(words)
    named = [each for each in ordered if all(word in str(each.tenant).casefold() for word in wanted)]
    groups = [Group("Tenants", "layers", [_opened(each) for each in named])]
    if is_searchable(words):
        groups += _objects(words, ordered)
    return [group for group in groups if group.found]


def is_searchable(words: str) -> bool:
    """Say whether the objects of the tenants are looked through: of shorter words there are too many."""
    return any(len(word) >= MIN_PART_LENGTH for word in _wanted(words))


def _wanted(words: str) -> list[str]:
    return words.casefold().split()


def _objects(words: str, memberships: Sequence[Membership]) -> Iterator[Group]:
    ids = [each.tenant_id for each in memberships]
    with all_tenants(WHY):
        tenants_of = [(kind, kind.tenants_with(words, ids)) for kind in _kinds()]
    by_member = {
        each: kinds
        for each in memberships
        if (kinds := [kind for kind, tenants in tenants_of if each.tenant_id in tenants and each.may(kind.role)])
    }
    for membership, kinds in [*by_member.items()][:TENANTS_SEARCHED]:
        slug = membership.tenant.slug
        with tenant_scope(membership.tenant_id):
            for kind in kinds:
                yield Group(f"{membership.tenant}: {kind.label}", kind.icon, list(kind.find(words, slug, SHOWN)))
    others = [*by_member][TENANTS_SEARCHED:]
    yield Group("Search in another tenant", "search", [_searched(each, words) for each in others])


def _kinds() -> Iterator[Kind]:
    for page in list_pages():
        if page.find and page.searched:
            icon = ICONS.get(page.url_name) or ICONS.get(page.url_name.partition(":")[0], "file")
            yield Kind(page.label, icon, page.find, page.role, _tenants_with(page.searched))
    for part in found_kinds():
        yield Kind(part.label, part.icon, part.find, part.role, _tenants_with(part.searched))


def _tenants_with(model: Any) -> Callable[[str, Sequence[int]], set[int]]:
    found: Callable[[str, Sequence[int]], set[int]] = model.objects.all().tenants_with
    return found


def _opened(membership: Membership) -> Found:
    url = reverse("today:today", args=[membership.tenant.slug])
    return Found(str(membership.tenant), membership.get_role_display(), url)


def _searched(membership: Membership, words: str) -> Found:
    url = reverse("commands:search", args=[membership.tenant.slug], query={"q": words})
    return Found(str(membership.tenant), "May have it", url)
