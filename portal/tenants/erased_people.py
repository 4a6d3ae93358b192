"""Erased people stay erased: their addresses are remembered as keyed hashes, and what the platform goes on sending is not kept.

The platform erases in its own time, so its lists may name a person for days after it has said yes. Whoever stores what the
platform sends asks `is_erased` first. What was created after the erasure is new: the person has come back, and that is stored.

The key is derived from SECRET_KEY and the tenant: nobody who steals the table can try addresses against it without the key, and
the tables of two tenants cannot be joined. With another key, what was erased before is no longer known here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import salted_hmac

from portal.lib.json_texts import texts_in
from portal.platform_api.errors import EMAIL
from portal.tenants import personal_data
from portal.tenants.models import ErasedIdentifier
from portal.tenants.personal_data import fold
from portal.tenants.scope import current_tenant_id
from portal.tenants.texts import alone, named_in

SALT = "portal.deletion_requests.address"
LISTED_EVERY = timedelta(minutes=10)
"""How exactly it is kept when the platform last sent something: every page of every list would write it otherwise."""
ERASED = "[erased]"

still_listed = Signal()
"""The platform has sent something about an erased person that is older than the erasure. Without arguments."""


def fingerprint(email: str) -> str:
    """Return the keyed hash of an address in the tenant in scope."""
    return salted_hmac(SALT, f"{current_tenant_id()}:{fold(email)}", algorithm="sha256").hexdigest()


def viewer_fingerprint(viewer_id: str) -> str:
    """Return the keyed hash of the platform's id of a viewer: activity may name nobody but that."""
    return fingerprint(f"viewer:{viewer_id}")


def erase(email: str) -> dict[str, int]:
    """Erase every row about an address and remember it; return their numbers by kind. Call it in a transaction."""
    viewer_ids = personal_data.viewer_ids(email)
    erased = personal_data.erase(email)
    _remember(fingerprint(email), viewer_ids)
    return erased


def is_erased(*, email: str = "", viewer_id: str = "", created_at: datetime | None) -> bool:
    """Say whether an object is about a person who was erased after it was created. Notes that the platform still sends it.

    An object without a date counts as an old one.
    """
    wanted = [fingerprint(email)] if email else []
    wanted += [viewer_fingerprint(viewer_id)] if viewer_id else []
    if not wanted:
        return False
    known = list(ErasedIdentifier.objects.filter(identifier_hash__in=wanted))
    old = [row for row in known if created_at is None or created_at <= row.erased_at]
    if old:
        _note_listed({row.person_hash for row in old})
    return bool(old)


def without_erased(payloads: Sequence[Any]) -> list[Any]:
    """Take the addresses of erased people out of objects that are about something else, such as who has added a viewer.

    Only values that are an address and nothing else: texts are the company's own. An object without any comes back as it is.
    """
    addresses = {fold(text): text for payload in payloads for text in _addresses(payload)}
    if not addresses:
        return list(payloads)
    known = _known({fingerprint(address): address for address in addresses})
    return [_replaced(payload, known) if known else payload for payload in payloads]


def without_address(payload: Any, email: str) -> Any:
    """Take one address out of an object, in the same way."""
    return _replaced(payload, {fold(email)})


def naming_erased[Key](texts: Mapping[Key, str]) -> list[Key]:
    """Return the keys of the texts that name somebody who was erased."""
    named = {key: named_in(text) for key, text in texts.items()}
    addresses = set().union(*named.values())
    known = _known({fingerprint(each): each for each in addresses}) if addresses else set()
    return [key for key, found in named.items() if found & known]


def without_mentions(payload: Any, *, besides: str = "") -> Any:
    """Take the addresses of erased people out of texts that people write into fields, as values or in the midst of words.

    `besides`: but not the address of the person whom the object is about. Whoever was erased and has come back keeps it there.
    """
    addresses = {each for text in texts_in(payload) if "@" in text for each in named_in(text)}
    addresses.discard(fold(besides))
    known = _known({fingerprint(each): each for each in addresses}) if addresses else set()
    for email in known:
        payload = without_mention(payload, email)
    return payload


def without_mention(payload: Any, email: str) -> Any:
    """Take one address out of every text of an object, and leave those of others."""
    pattern = alone(email)

    def replaced(value: Any) -> Any:
        match value:
            case str():
                return pattern.sub(ERASED, value)
            case dict():
                return {key: replaced(item) for key, item in value.items()}
            case list():
                return [replaced(item) for item in value]
            case _:
                return value

    return replaced(payload)


def erasures(person_hashes: Iterable[str]) -> dict[str, ErasedIdentifier]:
    """Return what is remembered of erased addresses, by their hashes."""
    rows = ErasedIdentifier.objects.filter(identifier_hash__in=set(person_hashes))
    return {row.identifier_hash: row for row in rows}


def note_listed(person_hash: str) -> None:
    """Note that the platform's lists name a person whom it was asked to erase."""
    _note_listed({person_hash})


def note_unlisted(person_hash: str, *, asked_at: datetime) -> None:
    """Note that the platform's lists, read from a moment on, name the person no longer."""
    before = Q(listed_at__lt=asked_at)
    ErasedIdentifier.objects.filter(before, identifier_hash=person_hash).update(listed_at=None, unlisted_at=asked_at)


def _remember(person_hash: str, viewer_ids: Iterable[str]) -> None:
    hashes = {person_hash, *map(viewer_fingerprint, viewer_ids)}
    # Whoever was erased before is so up to now, also under the ids of before.
    values = {"erased_at": timezone.now(), "listed_at": None, "unlisted_at": None}
    ErasedIdentifier.objects.filter(person_hash=person_hash).update(**values)
    rows = [ErasedIdentifier(identifier_hash=each, person_hash=person_hash, **values) for each in sorted(hashes)]
    ErasedIdentifier.objects.bulk_create(rows, ignore_conflicts=True)


def _note_listed(person_hashes: set[str]) -> None:
    now = timezone.now()
    is_news = Q(listed_at=None) | Q(listed_at__lt=now - LISTED_EVERY)
    if ErasedIdentifier.objects.filter(is_news, identifier_hash__in=person_hashes).update(listed_at=now):
        still_listed.send(ErasedIdentifier)


def _known(by_hash: Mapping[str, str]) -> set[str]:
    """Return those addresses, folded, that were erased."""
    found = ErasedIdentifier.objects.filter(identifier_hash__in=by_hash).values_list("identifier_hash", flat=True)
    return {by_hash[each] for each in found}


def _addresses(value: Any) -> Iterable[str]:
    yield from (text for text in texts_in(value) if "@" in text and EMAIL.fullmatch(text.strip()))


def _replaced(value: Any, known: set[str]) -> Any:
    match value:
        case str():
            return ERASED if fold(value) in known else value
        case dict():
            return {key: _replaced(item, known) for key, item in value.items()}
        case list():
            return [_replaced(item, known) for item in value]
        case _:
            return value
