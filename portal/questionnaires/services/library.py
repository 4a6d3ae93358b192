"""The platform's answer library, searched while a person waits beside a question: briefly, not too often, nothing is stored.

It finds texts only where they stand word for word (platform-api 4.4.2), so a question is looked for as it is, and then by the
word in it that tells most; what comes back is put in the order of the words it shares with the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from portal.connections.error_messages import error_message
from portal.connections.services import NotConnected, Urgency, client_for
from portal.lib.page_cache import cache
from portal.lib.sealed import Locked
from portal.lib.storable import storable_text
from portal.lib.text_keys import key_of, telling_words
from portal.platform_api import Platform
from portal.platform_api.errors import PermissionRefused, PlatformError
from portal.platform_api.models.knowledge import Answer as RemoteAnswer
from portal.tenants.scope import current_tenant_id
from portal.users.models import User

TIMEOUT = (2.0, 4.0)
"""Seconds to connect, and for an answer: somebody is looking at an empty place."""
KEPT_SECONDS = 300
REFUSED_SECONDS = 3600
"""So long a grant that does not cover the library is not asked again."""
A_MINUTE, MAX_A_MINUTE = 60, 15
"""So many searches a person makes in a minute: whoever hurries through questions leaves calls for the others (guarantee S9)."""
SHOWN = 6


class Answer(StrEnum):
    """How a search ended."""

    FOUND = "found"
    REFUSED = "refused"
    SILENT = "silent"
    TOO_OFTEN = "too-often"
    NOT_CONNECTED = "not-connected"


@dataclass(frozen=True)
class LibraryEntry:
    """A question with its answer, and whether it is still good."""

    question: str
    answer: str
    is_expired: bool
    expires_at: datetime | None
    verified_at: datetime | None


@dataclass(frozen=True)
class Found:
    """What a search gives."""

    state: Answer
    entries: Sequence[LibraryEntry] = ()
    problem: str = ""
    """Who kept it from being searched, and why, in words for people."""


def search_library(question: str, *, words: str = "", user: User) -> Found:
    """Search for what a person typed, or else for answers to a question. A failure is an answer too."""
    tenant_id = current_tenant_id()
    if cache.get(_refused_key(tenant_id)):
        return Found(Answer.REFUSED)
    key = f"library:{tenant_id}:{sha256(f'{words} {question}'.encode()).hexdigest()}"
    kept: Found | None = cache.get(key)
    if kept is not None:
        return kept
    if not _may_search(user):
        return Found(Answer.TOO_OFTEN)
    try:
        client = client_for(Urgency.PERSON, timeout=TIMEOUT)
        found = Found(Answer.FOUND, _search(client, words) if words else _search_like(client, question))
    except NotConnected:
        return Found(Answer.NOT_CONNECTED)
    except PermissionRefused:
        cache.set(_refused_key(tenant_id), True, REFUSED_SECONDS)
        return Found(Answer.REFUSED)
    except (PlatformError, Locked) as error:
        return Found(Answer.SILENT, problem=error_message(error))
    cache.set(key, found, KEPT_SECONDS)
    return found


def ask_library_again() -> None:
    """The tenant in scope has a new grant: it may cover the library."""
    cache.delete(_refused_key(current_tenant_id()))


def _refused_key(tenant_id: int) -> str:
    return f"library-refused:{tenant_id}"


def _may_search(user: User) -> bool:
    """Count one search of a person against their minute."""
    key = f"library-searches:{user.pk}"
    if cache.add(key, 1, A_MINUTE):
        return True
    try:
        return cache.incr(key) <= MAX_A_MINUTE
    except ValueError:  # the minute has just ended
        return True


def _search(client: Platform, text: str) -> list[LibraryEntry]:
    return [_entry(one) for one in client.answer_library.all.page(q=text).items[:SHOWN]]


def _search_like(client: Platform, question: str) -> list[LibraryEntry]:
    """Find the very question first, then those that share its longest telling word, by how much else they share."""
    wanted = telling_words(question)
    listed = list(client.answer_library.all.page(q=question.strip().rstrip("?.!: ")[:200]).items)
    if len(listed) < SHOWN and wanted:
        listed += client.answer_library.all.page(q=max(wanted, key=len)).items
    shared = {one.id: len({*wanted} & {*telling_words(one.question)}) for one in listed}
    fitting = {one.id: one for one in listed if shared[one.id] >= min(2, len(wanted))}
    order = sorted(fitting.values(), key=lambda one: (key_of(one.question) != key_of(question), -shared[one.id]))
    return [_entry(one) for one in order[:SHOWN]]


def _entry(one: RemoteAnswer) -> LibraryEntry:
    return LibraryEntry(
        question=storable_text(one.question),
        answer=storable_text(one.answer),
        is_expired=one.expiration_status == "EXPIRED",
        expires_at=one.expiration_date,
        verified_at=one.last_verified,
    )
