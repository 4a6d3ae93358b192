"""The mail addresses in the texts of this room: noted as the texts are stored, so that a person can be found and erased."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models

from portal.incidents.addresses import ENDS, addresses_in
from portal.incidents.models import Draft, DraftTemplate, Incident, LogEntry, Mention, Notice
from portal.lib.json_texts import texts_in
from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import EMAIL
from portal.tenants.models import TenantModel, TenantQuerySet
from portal.tenants.personal_data import each_once, fold, register_holding

ERASED = "<erased address>"
MAX_TEXT_LENGTH, BATCH = 500, 500
TEXTS: dict[type[TenantModel], tuple[str, ...]] = {
    Incident: ("name", "public_title", "notes", "search"),
    Notice: ("customer", "name_sort", "search", "notify", "note", "promises"),
    LogEntry: ("text", "note", "details"),
    Draft: ("subject", "text"),
    DraftTemplate: ("name", "subject", "text"),
}
"""Where people may have written an address."""
KINDS = {kind._meta.model_name or "": kind for kind in TEXTS}


def note_mentions(rows: Iterable[TenantModel]) -> None:
    """Note which addresses stand in rows of one kind that were stored just now."""
    rows = list(rows)
    mentions = [
        Mention(address=address[:MAX_TEXT_LENGTH], kind=row._meta.model_name or "", row_id=row.pk)
        for row in rows
        for address in sorted({fold(each) for text in _texts_of(row) for each in addresses_in(text)})
    ]
    Mention.objects.bulk_create(mentions, ignore_conflicts=True, batch_size=BATCH)


def erase_mentions(mentions: "TenantQuerySet[Mention]") -> None:
    """Take an address out of every text in which it was noted, and forget that it was there."""
    found = list(mentions)
    for mention in found:
        row = KINDS[mention.kind].objects.select_for_update().filter(pk=mention.row_id).first()
        if row is not None:
            _erase_from(row, mention.address)
    mentions.delete()
    touch_areas("incidents")


def register_personal_data() -> None:
    register_holding(
        "Incidents",
        rows=lambda email: Mention.objects.filter(address=fold(email)[:MAX_TEXT_LENGTH]),
        erase=erase_mentions,
        addresses=lambda: each_once(Mention.objects.all(), "address"),
    )


def _erase_from(row: TenantModel, address: str) -> None:
    columns = TEXTS[type(row)]
    for column in columns:
        cleaned = _without(getattr(row, column), address)
        field = row._meta.get_field(column)
        if isinstance(field, models.CharField) and isinstance(cleaned, str):
            cleaned = cleaned[: field.max_length]
        setattr(row, column, cleaned)
    row.save(update_fields=list(columns))


def _without(value: Any, address: str) -> Any:
    match value:
        case str():
            return EMAIL.sub(lambda found: _masked(found[0], address), value)
        case dict():
            return {key: _without(item, address) for key, item in value.items()}
        case list():
            return [_without(item, address) for item in value]
        case _:
            return value


def _masked(found: str, address: str) -> str:
    kept = found.rstrip(ENDS)
    return ERASED + found[len(kept) :] if fold(kept)[:MAX_TEXT_LENGTH] == address else found


def _texts_of(row: TenantModel) -> Iterator[str]:
    for column in TEXTS[type(row)]:
        yield from texts_in(getattr(row, column))
