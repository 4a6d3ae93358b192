"""Triggers on the desks' tables that note which objects have changed, on both databases.

So a bulk update and an upsert of the sync count like a save, and no write has to remember. Made after each migrate; the name of
each holds a hash of what it does, so that those which stand are left alone. On SQLite they go before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from typing import Any

from django.db import connections, transaction
from django.db.models import Model

from portal.lib.table_columns import column_names
from portal.tenants.models import Membership
from portal.tenants.postgresql.pooled import SETTING
from portal.users.models import User
from portal.work_items.kinds import EVERY, Kind, kinds

PREFIX = "work_items_note_"
CHANGES, PASSES = "work_items_change", "work_items_pass"
EVENTS = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Trigger:
    """One trigger: it runs `body`, in which `{row}` is the row, when one of the columns has another value than before."""

    table: str
    event: str
    columns: tuple[str, ...]
    body: str
    is_over_tenants: bool = False

    @property
    def name(self) -> str:
        return PREFIX + blake2s(repr(self).encode(), digest_size=10).hexdigest()

    def statements(self, vendor: str) -> list[str]:
        columns = f" OF {', '.join(self.columns)}" if self.columns and self.event == "UPDATE" else ""
        differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
        changed = " OR ".join(f"OLD.{each} {differs} NEW.{each}" for each in self.columns)
        when = f"WHEN ({changed}) " if columns else ""
        body = self.body.format(row="OLD" if self.event == "DELETE" else "NEW")
        head = f"CREATE TRIGGER {self.name} AFTER {self.event}{columns} ON {self.table} FOR EACH ROW {when}"
        if vendor != "postgresql":
            return [f"{head}BEGIN {body}; END"]
        return [_function(self.name, body, self.is_over_tenants), f"{head}EXECUTE FUNCTION {self.name}()"]


def _function(name: str, body: str, is_over_tenants: bool) -> str:
    # Who is renamed may work in several tenants, and no scope is open then: the policy would refuse the rows.
    opened = f"PERFORM set_config('{SETTING}', 'all', true);" if is_over_tenants else ""
    closed = f"PERFORM set_config('{SETTING}', coalesce(before, ''), true);" if is_over_tenants else ""
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"DECLARE before text := current_setting('{SETTING}', true); "
        f"BEGIN {opened} {body}; {closed} RETURN NULL; END $$"
    )


def triggers() -> Iterator[Trigger]:
    """Return every trigger that should stand."""
    for kind in kinds():
        yield from _of_kind(kind)
    people = [kind.name for kind in kinds() if kind.has_owners]
    for name in people:
        note = f"INSERT INTO {CHANGES} (tenant_id, kind, object_id) "
        table = Membership._meta.db_table
        yield from (
            Trigger(table, event, ("role",), f"{note}VALUES ({{row}}.tenant_id, '{name}', 0)", is_over_tenants=True)
            for event in EVENTS
        )
        body = f"{note}SELECT tenant_id, '{name}', 0 FROM {table} WHERE user_id = {{row}}.id"  # noqa: S608
        yield Trigger(User._meta.db_table, "UPDATE", ("name", "is_active"), body, is_over_tenants=True)


def _of_kind(kind: Kind) -> Iterator[Trigger]:
    for source in kind.sources:
        options = source.model._meta
        columns = tuple(_column(source.model, each) for each in source.columns)
        if source.children:
            # What comes and goes with its parent has triggers of its own.
            yield Trigger(options.db_table, "UPDATE", columns, _note_children(kind, *source.children))
            continue
        key = EVERY if source.key == EVERY else f"{{row}}.{_column(source.model, source.key)}"
        body = f"INSERT INTO {CHANGES} (tenant_id, kind, object_id) VALUES ({{row}}.tenant_id, '{kind.name}', {key})"  # noqa: S608
        for event in EVENTS:
            yield Trigger(options.db_table, event, columns, body)


def _note_children(kind: Kind, model: type[Model], path: str) -> str:
    table, where, closing = model._meta.db_table, "", ""
    *between, last = path.split("__")
    for step in between:
        column, model = _column(model, step), _parent(model, step)
        where += f"{column} IN (SELECT id FROM {model._meta.db_table} WHERE "  # noqa: S608
        closing += ")"
    where += f"{_column(model, last)} = {{row}}.id{closing}"
    into = f"INSERT INTO {CHANGES} (tenant_id, kind, object_id)"
    return f"{into} SELECT tenant_id, '{kind.name}', id FROM {table} WHERE {where}"  # noqa: S608


def _column(model: type[Model], name: str) -> str:
    return str(model._meta.get_field(name).column)  # type: ignore[union-attr]


def _parent(model: type[Model], name: str) -> type[Model]:
    found: type[Model] = model._meta.get_field(name).related_model  # type: ignore[assignment]
    return found


def remove(using: str = "default", plan: Sequence[Any] = (), **_: Any) -> None:
    """Take the triggers away before migrations on SQLite: it changes a table by making it anew, which they would stop."""
    connection = connections[using]
    if connection.vendor != "sqlite" or not plan:
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for name in _standing(connection.vendor, cursor):
            cursor.execute(_removal(connection.vendor, name))


def renew(using: str = "default", **_: Any) -> None:
    """Make what is missing of the triggers, and take away what should not stand, after each migrate."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        existing = set(connection.introspection.table_names(cursor))
        if CHANGES not in existing:
            return
        columns = {table: column_names(cursor, table) for table in {each.table for each in triggers()} & existing}
        # The database may be migrated to an earlier state.
        wanted = {
            each.name: each for each in triggers() if each.table in columns and columns[each.table].issuperset(each.columns)
        }
        standing = _standing(connection.vendor, cursor)
        for name in standing.keys() - wanted.keys():
            cursor.execute(_removal(connection.vendor, name))
        missing = wanted.keys() - standing.keys()
        for name in missing:
            for statement in wanted[name].statements(connection.vendor):
                cursor.execute(statement)
        if missing and connection.vendor == "sqlite":
            # What was written while they were away nobody has noted: every tenant is compared with its desks.
            cursor.execute(f"UPDATE {PASSES} SET compared_at = NULL")  # noqa: S608


def _standing(vendor: str, cursor: Any) -> dict[str, bool]:
    if vendor == "postgresql":
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgname LIKE %s", [f"{PREFIX}%"])
    else:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s", [f"{PREFIX}%"])
    return {name: True for (name,) in cursor.fetchall()}


def _removal(vendor: str, name: str) -> str:
    return f"DROP FUNCTION IF EXISTS {name}() CASCADE" if vendor == "postgresql" else f"DROP TRIGGER IF EXISTS {name}"
