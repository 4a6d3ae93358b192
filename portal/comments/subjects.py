"""What can be commented on: each desk registers its objects here, from `AppConfig.ready`."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from portal.comments.models import AREA, Comment, thread_of
from portal.page_refresh.services import touch_areas
from portal.saved_views.found import register_openable
from portal.tenants.models import Membership, Role
from portal.tenants.personal_data import Rows, register_holding


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One kind of objects that people comment on, as the audit trail calls it."""

    kind: str
    label: str
    """In a sentence: "this contract"."""
    titles: Callable[[Collection[str]], Mapping[str, str]]
    """Names those of these objects that there are in the tenant in scope."""
    url: Callable[[str, str], str]
    """The page of an object in the tenant of this slug."""
    changed: Callable[[str, str, Membership], object]
    """Shows on the object's pages what a member did about its comments, given as the end of a sentence."""
    role: Role = Role.VIEWER
    """Who may open the page."""
    target: Callable[[str], str] = str
    """The id under which the audit trail knows an object."""
    facts: Callable[[str], Mapping[str, str]] = lambda object_id: {}
    """What the desk needs beside the id to find the entry of an object again."""
    together: Callable[[str], Collection[str]] = lambda object_id: (object_id,)
    """The objects whose comments are shown with those of this one."""
    of_person: Callable[[str], Iterable[str]] | None = None
    """The objects that are about a mail address alone: what was said about them goes with an erasure."""

    def title(self, object_id: str) -> str | None:
        return self.titles([object_id]).get(object_id)


_subjects: dict[str, Subject] = {}


def register_subject(subject: Subject) -> None:
    """Make a kind of objects known. Before the desk registers its own personal data: what is said of an object goes first."""
    _subjects[subject.kind] = subject
    register_openable(subject.kind, label=subject.label, titles=subject.titles, url=subject.url, role=subject.role)
    if (of_person := subject.of_person) is None:
        return

    def rows(email: str) -> Rows:
        threads = [thread_of(subject.kind, object_id) for object_id in of_person(email)]
        found: Rows = Comment.objects.filter(thread__in=threads)
        return found

    register_holding(f"Comments on {subject.label}s", rows=rows, erase=_erase, addresses=lambda: iter(()))


def subjects() -> list[Subject]:
    return [*_subjects.values()]


def subject_named(kind: str) -> Subject | None:
    return _subjects.get(kind)


def registered(kind: str) -> Subject:
    """Return a kind that a page of ours names. Raises KeyError for one that no desk has registered."""
    return _subjects[kind]


def _erase(rows: Rows) -> None:
    rows.delete()
    touch_areas(AREA)
