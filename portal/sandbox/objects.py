"""The objects of the API, kept as JSON bodies in the order in which they arrived."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.sandbox.kinds import KINDS, Kind
from portal.sandbox.store import Json, Row, Store


class Missing(Exception):
    """There is no such object for this tenant."""

    def __init__(self, kind: str, object_id: str) -> None:
        super().__init__(f"{KINDS[kind].title} with id: {object_id} not found")


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A condition on objects in SQL, with its values. The SQL is always ours; what people sent is only in the values."""

    sql: str
    values: tuple[object, ...] = ()


def equal(field: str, value: object) -> Clause:
    return Clause(sql=f"json_extract(body, '$.{field}') = ?", values=(value,))


@dataclass(frozen=True, kw_only=True)
class Page:
    bodies: list[Json]
    first: int | None
    last: int | None
    has_next: bool
    has_previous: bool


class Objects:
    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, tenant_id: str, kind: str, object_id: str) -> Json:
        """Return one object. Raises Missing, also for another tenant's and for a removed one."""
        return decoded(self._row(tenant_id, kind, object_id))

    def has(self, tenant_id: str, kind: str, object_id: str) -> bool:
        return bool(self.all(tenant_id, kind, where=[Clause(sql="id = ?", values=(object_id,))], limit=1))

    def named(self, tenant_id: str, kind: Kind, name: str, *, parent_id: str | None = None) -> Json:
        """Return the object that a path names, of exactly this parent if one is given. Raises Missing."""
        if kind.also_by:
            where = [equal(kind.also_by, name)]
            if found := self.all(tenant_id, kind.name, parent_id=parent_id, where=where, limit=1):
                return found[0]
        row = self._row(tenant_id, kind.name, name)
        if parent_id is not None and row["parent_id"] != parent_id:
            raise Missing(kind.name, name)
        return decoded(row)

    def parent_of(self, tenant_id: str, kind: str, object_id: str) -> str | None:
        """Return the id of the object that this one belongs to."""
        parent: str | None = self._row(tenant_id, kind, object_id)["parent_id"]
        return parent

    def add(self, tenant_id: str, kind: str, body: Json, *, parent_id: str | None = None) -> Json:
        self.add_many(tenant_id, kind, [body], parent_id=parent_id)
        return body

    def add_many(self, tenant_id: str, kind: str, bodies: Iterable[Json], *, parent_id: str | None = None) -> None:
        """Add objects, the oldest first."""
        self._store.write_many(
            "INSERT INTO objects (tenant_id, kind, id, parent_id, body) VALUES (?, ?, ?, ?, ?)",
            ((tenant_id, kind, body["id"], parent_id, encoded(body)) for body in bodies),
        )

    def save(self, tenant_id: str, kind: str, body: Json) -> Json:
        """Write an object back."""
        self._store.write(
            "UPDATE objects SET body = ? WHERE tenant_id = ? AND kind = ? AND id = ?",
            encoded(body),
            tenant_id,
            kind,
            body["id"],
        )
        return body

    def delete(self, tenant_id: str, kind: str, object_id: str) -> None:
        """Delete an object and what belongs to it. Raises Missing."""
        with self._store.transaction():
            self._row(tenant_id, kind, object_id)
            self._store.write("DELETE FROM objects WHERE tenant_id = ? AND parent_id = ?", tenant_id, object_id)
            self._store.write("DELETE FROM objects WHERE tenant_id = ? AND kind = ? AND id = ?", tenant_id, kind, object_id)

    def remove(self, tenant_id: str, kind: str, object_id: str) -> None:
        """Take an object out of every answer but the full listing. Raises Missing."""
        self._row(tenant_id, kind, object_id)
        self._store.write(
            "UPDATE objects SET is_removed = 1 WHERE tenant_id = ? AND kind = ? AND id = ?", tenant_id, kind, object_id
        )

    def delete_where(self, tenant_id: str, kind: str, clause: Clause) -> int:
        """Delete all objects of a kind that fit; return how many."""
        sql = f"DELETE FROM objects WHERE tenant_id = ? AND kind = ? AND {clause.sql}"  # noqa: S608
        return self._store.write(sql, tenant_id, kind, *clause.values)

    def all(
        self,
        tenant_id: str,
        kind: str,
        *,
        parent_id: str | None = None,
        where: Sequence[Clause] = (),
        include_removed: bool = False,
        oldest_first: bool = False,
        limit: int = -1,
        offset: int = 0,
    ) -> list[Json]:
        """Return the objects of a kind, the newest first (platform-api U20)."""
        condition = _condition(tenant_id, kind, parent_id=parent_id, where=where, include_removed=include_removed)
        order = "ASC" if oldest_first else "DESC"
        sql = f"SELECT * FROM objects WHERE {condition.sql} ORDER BY seq {order} LIMIT ? OFFSET ?"  # noqa: S608
        return [decoded(row) for row in self._store.rows(sql, *condition.values, limit, offset)]

    def page(
        self,
        tenant_id: str,
        kind: str,
        *,
        after: int | None,
        size: int,
        parent_id: str | None = None,
        where: Sequence[Clause] = (),
        include_removed: bool = False,
        oldest_first: bool = False,
    ) -> Page:
        """Return the objects that follow a position. Objects that come or go in between move no other one."""
        condition = _condition(tenant_id, kind, parent_id=parent_id, where=where, include_removed=include_removed)
        order, beyond = ("ASC", ">") if oldest_first else ("DESC", "<")
        sql = f"SELECT * FROM objects WHERE {condition.sql}"  # noqa: S608
        start = "" if after is None else f" AND seq {beyond} {int(after)}"
        rows = self._store.rows(f"{sql}{start} ORDER BY seq {order} LIMIT ?", *condition.values, size + 1)
        shown = rows[:size]
        return Page(
            bodies=[decoded(row) for row in shown],
            first=shown[0]["seq"] if shown else None,
            last=shown[-1]["seq"] if shown else None,
            has_next=len(rows) > size,
            has_previous=after is not None,
        )

    def keep_upload(self, tenant_id: str, object_id: str, *, content: bytes, mimetype: str) -> None:
        """Keep the file of an object; an earlier one is replaced."""
        self._store.write("INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?)", tenant_id, object_id, mimetype, content)

    def upload_of(self, tenant_id: str, object_id: str) -> tuple[bytes, str] | None:
        """Return what was uploaded for an object, with its media type."""
        row = self._store.row("SELECT * FROM uploads WHERE tenant_id = ? AND object_id = ?", tenant_id, object_id)
        return None if row is None else (row["content"], row["mimetype"])

    def counts(self, tenant_id: str) -> dict[str, int]:
        """Count a tenant's objects by kind."""
        rows = self._store.rows("SELECT kind, count(*) AS number FROM objects WHERE tenant_id = ? GROUP BY kind", tenant_id)
        return dict.fromkeys(KINDS, 0) | {row["kind"]: row["number"] for row in rows}

    def _row(self, tenant_id: str, kind: str, object_id: str) -> Row:
        row = self._store.row(
            "SELECT * FROM objects WHERE tenant_id = ? AND kind = ? AND id = ? AND NOT is_removed",
            tenant_id,
            kind,
            object_id,
        )
        if row is None:
            raise Missing(kind, object_id)
        return row


def _condition(tenant_id: str, kind: str, *, parent_id: str | None, where: Sequence[Clause], include_removed: bool) -> Clause:
    clauses = [Clause(sql="tenant_id = ? AND kind = ?", values=(tenant_id, kind)), *where]
    if parent_id is not None:
        clauses.append(Clause(sql="parent_id = ?", values=(parent_id,)))
    if not include_removed:
        clauses.append(Clause(sql="NOT is_removed"))
    values = tuple(value for clause in clauses for value in clause.values)
    return Clause(sql=" AND ".join(f"({clause.sql})" for clause in clauses), values=values)


def encoded(body: Json) -> str:
    return json.dumps(body, separators=(",", ":"))


def decoded(row: Row) -> Json:
    body: Json = json.loads(row["body"])
    return body
