"""O4: the database takes nothing, as on a full disk or when it is a replica: what is there can be read, nothing breaks."""

import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import requests
from psycopg import sql

from tests.environment import POSTGRESQL
from tests.faults.children import Child
from tests.faults.database import cut_all
from tests.faults.house import ON_SERVICES, House
from tests.faults.person import Person
from tests.support.polls import until

pytestmark = [pytest.mark.faults]

WELL_AGAIN_WITHIN = 10.0


def test_o4_while_the_database_takes_nothing_pages_can_be_read_and_deliveries_are_sent_again(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Full")
    person = Person(house, "full", inside.do("sign_in", user_id=tenant["user_id"]))
    # Whose being here is to be written down.
    back_again = Person(house, "full", inside.do("sign_in", user_id=tenant["user_id"], seen_ago=600))
    inside.kill()
    web, path = house.web(), tenant["path"]
    assert house.post(path, "msg_before", "q1") == 204
    assert person.unread() == {}
    assert person.add_entry("Before?").ok
    with unwritable(house, web):
        assert {house.post(path, f"msg_during_{number}", "q1") for number in range(4)} == {503}
        assert back_again.unread() == {}
        refused = person.add_entry("During?")
        assert refused.status_code == 503
        assert "Everything saved before is safe" in refused.text
        assert refused.headers["Retry-After"]
        assert requests.get(f"{house.url}/healthz", timeout=10).ok
        assert requests.get(f"{house.url}/readyz", timeout=10).status_code == 503
    # Without a restart.
    until(lambda: house.post(path, "msg_after", "q1") == 204, seconds=WELL_AGAIN_WITHIN, what="a delivery to be taken")
    assert person.unread() == {}
    assert person.add_entry("After?").ok
    assert person.entries() == ["Before?", "After?"]
    kept = house.inside().do("deliveries", tenant_id=tenant["tenant_id"])
    assert kept.keys() == {"msg_before", "msg_after"}
    if not ON_SERVICES:
        web.kill()
        with closing(sqlite3.connect(house.folder / "portal.sqlite3")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@contextmanager
def unwritable(house: House, web: Child) -> Iterator[None]:
    if ON_SERVICES:
        set_read_only(house, True)
        yield
        set_read_only(house, False)
        return
    # No file of these processes may have any more bytes: to SQLite that is a disk without room.
    processes = family_of(web.process.pid)
    before = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in processes}
    for pid, (_, hard) in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
    yield
    for pid, limits in before.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def set_read_only(house: House, is_read_only: bool) -> None:
    with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
        statement = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
        connection.execute(statement.format(sql.Identifier(house.database), sql.Literal(is_read_only)))
        # Who is connected goes on as before.
        cut_all(connection, house)
        time.sleep(0.2)


def family_of(pid: int) -> list[int]:
    """Return a process and its children."""
    children = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [pid, *(member for child in children for member in family_of(child))]
