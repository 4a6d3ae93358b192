"""Exporting and purging every row of a tenant that leaves, whichever room has it.

The rooms need not know each other for that: each says from `AppConfig.ready` which of its rows stay (`keep_after_purge`), and
which of its columns are secrets and in no export (`exclude_from_export`).
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models.fields.files import FieldFile

from portal.tenants.managers import TenantModel

BATCH = 500

_kept: dict[type[TenantModel], models.Q | None] = {}
"""With those rows of a kind that go all the same."""
_not_exported: set[tuple[type[TenantModel], str]] = set()


def keep_after_purge(*kinds: type[TenantModel], besides: models.Q | None = None) -> None:
    """These rows stay when a tenant's copy of the platform's data is removed: they are the portal's own, or prove something.

    `besides`: but not those among them that are copies.
    """
    _kept.update(dict.fromkeys(kinds, besides))


def exclude_from_export(kind: type[TenantModel], *columns: str) -> None:
    """These columns are secrets, sealed or not, and are in no export."""
    _not_exported.update((kind, column) for column in columns)


def kinds() -> list[type[TenantModel]]:
    """Return every kind of row that belongs to a tenant."""
    return [model for model in apps.get_models() if issubclass(model, TenantModel)]


def purge(*, may_go_on: Callable[[], bool] = lambda: True) -> int:
    """Remove the rows of the tenant in scope that are not kept, with their files; return how many there were.

    In batches, each a commit of its own: whatever ends it in the middle, the next run goes on. Each asks first whether it still
    may, in its own transaction: what that locks stays as it is until the batch is gone.
    """
    removed = 0
    for kind in kinds():
        which = _kept.get(kind, models.Q())
        if which is None:
            continue
        while keys := list(kind._default_manager.filter(which).order_by("pk").values_list("pk", flat=True)[:BATCH]):
            with transaction.atomic():
                if not may_go_on():
                    return removed
                rows = kind._default_manager.filter(pk__in=keys)
                for file in _files_of(kind, rows):
                    file.delete(save=False)
                rows.delete()
            removed += len(keys)
    return removed


def stored_files() -> list[FieldFile]:
    """Return every stored file of the tenant in scope: the database removes its rows, and knows of no file."""
    return [file for kind in kinds() for file in _files_of(kind, _rows(kind))]


def _files_of(kind: type[TenantModel], rows: Iterable[TenantModel]) -> list[FieldFile]:
    columns = [field.name for field in kind._meta.concrete_fields if isinstance(field, models.FileField)]
    return [file for row in (rows if columns else ()) for column in columns if (file := getattr(row, column))]


def write_export(target: IO[bytes]) -> dict[str, int]:
    """Write everything the tenant in scope has here into a zip file: one file of JSON lines per kind, and the stored files.

    Returns the number of rows per kind. Secrets are left out.
    """
    counts: dict[str, int] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for kind in kinds():
            name = f"{kind._meta.app_label}/{kind._meta.model_name}"
            with archive.open(f"{name}.jsonl", "w", force_zip64=True) as lines:
                counts[name] = 0
                for row in _rows(kind):
                    lines.write(json.dumps(_values(row), cls=DjangoJSONEncoder, ensure_ascii=False).encode() + b"\n")
                    counts[name] += 1
        for name, content in _files():
            archive.writestr(name, content)
        archive.writestr("contents.json", json.dumps(counts, indent=2))
    return counts


def _rows(kind: type[TenantModel]) -> Iterator[TenantModel]:
    """Walk all rows, in batches: one statement over a large tenant could take longer than a statement may."""
    last = 0
    while rows := list(kind._default_manager.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield from rows
        last = rows[-1].pk


def _values(row: TenantModel) -> dict[str, Any]:
    values = {}
    for field in row._meta.concrete_fields:
        if (type(row), field.name) in _not_exported or field.name == "tenant":
            continue
        value = field.value_from_object(row)
        if isinstance(value, bytes | memoryview):
            value = bytes(value).decode("utf-8", "replace")
        elif isinstance(field, models.FileField):
            value = value.name
        values[field.name] = value
    return values


def _files() -> Iterator[tuple[str, bytes]]:
    for kind in kinds():
        columns = [field.name for field in kind._meta.concrete_fields if isinstance(field, models.FileField)]
        for row in _rows(kind) if columns else ():
            for column in columns:
                file = getattr(row, column)
                if file and file.storage.exists(file.name):
                    with file.open("rb") as content:
                        yield f"files/{file.name}", content.read()
