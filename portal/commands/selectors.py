"""What the search over all desks offers: pages, things to do, people, and the objects of every desk that can be searched."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from itertools import takewhile
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import resolve, reverse

from portal.commands.recent import recently_opened
from portal.saved_views.found import Command, Found, commands, found_kinds
from portal.saved_views.lists import ListPage, list_pages
from portal.search.models import matching_at_once
from portal.tenants.models import Membership, Role
from portal.ui.navigation import DESKS, SETTINGS, SETTINGS_PAGE, Entry, is_shown

SHOWN = 5
"""Of each kind."""
SHOWN_OF_COMMAND = 2
"""Of each command that nobody has typed: it stands beside the objects themselves."""
MIN_WORD_LENGTH = 2
"""Letters; of less nearly every object has them."""
LIKENESS = 0.75
"""Of a word to the one that was meant: one wrong letter in four, or two in eight."""
ICONS = {entry.key: entry.icon for entry in reversed(DESKS)} | {entry.url_name: entry.icon for entry in DESKS}
"""By the name of the list, else by its room."""
ACTIONS = (
    Entry("New questionnaire", "plus", "questionnaires:new"),
    Entry("New library entry", "plus", "library:new"),
    Entry("New Trust Center document", "upload", "trust_center:new_resource"),
    Entry("New FAQ", "plus", "trust_center:new_faq"),
    Entry("Add a control to the Trust Center", "plus", "trust_center:add_control"),
    Entry("View the Trust Center as a visitor", "eye", "trust_center:visitor"),
    Entry("Upload contract", "upload", "contracts:upload"),
    Entry("New customer", "plus", "customers:new"),
    Entry("New incident", "plus", "incidents:new"),
    Entry("New deletion request", "plus", "deletion_requests:new"),
    Entry("New group of people", "plus", "people:new_group", role=Role.ADMIN),
    Entry("New access rule", "plus", "access_requests:new_rule"),
    Entry("Invite a teammate", "user-plus", "members:list", role=Role.ADMIN),
    Entry("Review viewers' access", "user-check", "access_requests:viewer_review"),
    Entry("Manage saved views", "bookmark", "saved_views:list"),
)


@dataclass(frozen=True)
class Group:
    """What was found of one kind. `more_url` leads to the list that shows the rest."""

    label: str
    icon: str
    found: list[Found]
    more_url: str = ""


def groups(words: str, *, membership: Membership) -> list[Group]:
    """Return what has all of the words, for a member in their tenant's scope; without words, what can be done and opened.

    What they have opened last comes first, and is not shown twice. Where nothing has the words, what is spelled nearly so.
    """
    wanted = words.casefold().split()
    opened, has_words = recently_opened(membership), partial(_has, wanted)
    recent = [each for each in opened if has_words(each.title)][:SHOWN]
    desks = [entry for entry in DESKS if is_shown(entry, membership.tenant)]
    pages = (*desks, SETTINGS_PAGE, *SETTINGS)
    found = [
        Group("Actions", "zap", [*_commands(words, membership), *_offered(ACTIONS, has_words, membership)]),
        Group("Pages", "arrow-right", [*_offered(pages, has_words, membership)]),
    ]
    if len(words) >= MIN_WORD_LENGTH:
        found = [*_objects(words, membership), Group("Members", "users", _members(wanted, membership)), *found]
    urls = {each.url for each in recent}
    others = (replace(group, found=[each for each in group.found if each.url not in urls]) for group in found)
    shown = [group for group in (Group("Recent", "history", recent), *others) if group.found]
    return shown or _meant(opened, (*pages, *ACTIONS), wanted, membership)


def _has(wanted: Sequence[str], text: str) -> bool:
    return all(word in text.casefold() for word in wanted)


def _is_like(wanted: Sequence[str], text: str) -> bool:
    """Say whether each word is nearly one of a text's."""
    known = re.findall(r"\w+", text.casefold())
    return all(get_close_matches(word, known, n=1, cutoff=LIKENESS) for word in wanted)


def _meant(opened: Iterable[Found], entries: Iterable[Entry], wanted: Sequence[str], membership: Membership) -> list[Group]:
    """Offer what somebody may have meant who found nothing: among what can be told without a look at every object."""
    is_like = partial(_is_like, wanted)
    found = [*(each for each in opened if is_like(each.title)), *_offered(entries, is_like, membership)][:SHOWN]
    return [Group("Did you mean", "spell-check", found)] if found else []


def _objects(words: str, membership: Membership) -> list[Group]:
    pages = [page for page in list_pages() if page.find and membership.may(page.role)]
    parts = [kind for kind in found_kinds() if membership.may(kind.role)]
    with matching_at_once([*(page.searched for page in pages), *(kind.searched for kind in parts)], words):
        lists = [_of_list(page, words, membership) for page in pages]
        return [
            *lists,
            *(Group(kind.label, kind.icon, list(kind.find(words, membership.tenant.slug, SHOWN))) for kind in parts),
        ]


def _of_list(page: ListPage, words: str, membership: Membership) -> Group:
    slug = membership.tenant.slug
    rows = list(page.find(words, slug, SHOWN + 1)) if page.find else []
    # A list without a search of its own would show everything.
    query = page.normalized(urlencode({"q": words}))
    everything = page.normalized(urlencode({"q": words, "tab": "all"}))
    more_url = page.url(slug, everything) if query and len(rows) > SHOWN else ""
    icon = ICONS.get(page.url_name) or ICONS.get(page.url_name.partition(":")[0], "file")
    return Group(page.label, icon, rows[:SHOWN], more_url)


def _commands(words: str, membership: Membership) -> Iterator[Found]:
    """Offer what can be started for an object: all of one command once that is typed, else the first of each."""
    typed, slug = words.casefold().split(), membership.tenant.slug
    for command in commands():
        if not membership.may(command.role):
            continue
        number = _words_typed(command, typed)
        named = " ".join(typed[number:])
        if len(named) >= MIN_WORD_LENGTH or number == len(command.words):
            for found in command.find(named, slug, SHOWN if number else SHOWN_OF_COMMAND):
                yield replace(found, icon=command.icon)


def _words_typed(command: Command, typed: list[str]) -> int:
    """Count the words that begin like the command."""
    pairs = zip(command.words, typed, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _offered(entries: Iterable[Entry], fits: Callable[[str], bool], membership: Membership) -> Iterator[Found]:
    for entry in entries:
        url = reverse(entry.url_name, args=[membership.tenant.slug])
        needed = max(entry.role, resolve(url).func.role)  # type: ignore[attr-defined] # set by `tenant_view`
        if membership.may(needed) and fits(f"{entry.label} {entry.note}"):
            yield Found(entry.label, entry.note, url, entry.icon)


def _members(wanted: list[str], membership: Membership) -> list[Found]:
    rows = Membership.objects.filter(tenant=membership.tenant).select_related("user").order_by("user__name", "pk")
    for word in wanted:
        rows = rows.filter(Q(user__name__icontains=word) | Q(user__email__icontains=word))
    url = reverse("members:list", args=[membership.tenant.slug])
    return [Found(str(row.user), row.get_role_display(), url) for row in rows[:SHOWN]]
