"""O8, T5: an installation that works is copied; the copy is put back elsewhere and goes on."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.environment import POSTGRESQL
from tests.faults.children import Inside
from tests.faults.cluster import find_binaries
from tests.faults.database import SUPERUSER
from tests.faults.grants import Grant
from tests.faults.house import ON_SERVICES, House
from tests.faults.load import Load
from tests.support.optional_programs import do_without
from tests.support.polls import until

pytestmark = [pytest.mark.faults]

OWNER, BACKUP = f"portal_faults_owner_{os.getpid()}", f"portal_faults_backup_{os.getpid()}"
"""The roles of docs/operating.md; another checkout may run the same test beside this one."""


def manage(house: House, *arguments: str, **changes: str) -> None:
    subprocess.run([sys.executable, "manage.py", *arguments], env=house.environment | changes, check=True, timeout=120)


def work_then_copy(grant: Grant, copy: Callable[[], None]) -> list[str]:
    """Have the house deliver and work, copy it meanwhile, and end it; return what was acknowledged before the copy."""
    house = grant.house
    web, worker = house.web(), house.worker(PLATFORM_API_URL=grant.platform)
    with Load(house, grant.path, clients=2, pause=0.02) as load:
        until(lambda: len(load.acknowledged) > 30, what="acknowledged deliveries")
        before = list(load.acknowledged)
        copy()
    # The refresh token in the copy is used up after it; the platform takes it for three hours from then on.
    assert grant.inside.do("ask", **grant.key).startswith("sat_")
    for child in (web, worker, grant.inside):
        house.children.remove(child)
        child.kill()
    return before


def check_goes_on(house: House, grant: Grant, before: list[str]) -> None:
    """Nothing that was acknowledged before the copy is lost, nothing is done twice, and the grant is good."""
    inside = house.inside(PLATFORM_API_URL=grant.platform)
    assert set(before) <= dict(inside.do("states", **grant.tenant)).keys()
    copied = len(inside.do("states", **grant.tenant))
    house.web()
    for hook_id in (*before[:5], "msg_after_the_copy"):
        assert house.post(grant.path, hook_id, f"q{hook_id[4:].replace('_', 'x')}") == 204
    house.worker(PLATFORM_API_URL=grant.platform)
    until(lambda: not left(inside, grant), seconds=60, what="the rest")
    states = inside.do("states", **grant.tenant)
    assert len(states) == copied + 1
    assert {state for _, state in states} == {"done"}
    effects = inside.do("effects", **grant.tenant)
    assert (len(effects), set(effects.values())) == (len(states), {1})
    check_grant(inside, grant)


def left(inside: Inside, grant: Grant) -> int:
    # What died with its leases is taken up when they end.
    inside.do("pass_time", **grant.tenant)
    inside.do("ring", **grant.tenant, times=1)
    return int(inside.do("waiting", **grant.tenant))


def check_grant(inside: Inside, grant: Grant) -> None:
    inside.do("expire", **grant.tenant)
    assert inside.do("ask", **grant.key).startswith("sat_")
    assert inside.do("call_api", **grant.tenant) == 2
    assert inside.do("state_of", **grant.tenant)["state"] == "active"


@pytest.mark.skipif(ON_SERVICES, reason="about SQLite and the embedded broker")
def test_o08_t05_a_backup_that_was_taken_under_load_is_restored_in_an_empty_place_and_goes_on(grant: Grant, tmp_path: Path):
    backup = tmp_path / "backup.tar.gz"
    before = work_then_copy(grant, lambda: manage(grant.house, "backup", str(backup)))
    assert backup.stat().st_mode & 0o777 == 0o600
    other = House(tmp_path / "other")
    try:
        (other.folder / "static").mkdir(parents=True)
        manage(other, "restore", str(backup))
        check_goes_on(other, grant, before)
    finally:
        other.kill_all()


@pytest.mark.skipif(not ON_SERVICES, reason="about PostgreSQL")
def test_o08_t05_a_dump_of_postgresql_is_restored_under_the_roles_of_the_documents_and_goes_on(grant: Grant, tmp_path: Path):
    binaries, dump = find_binaries(), tmp_path / "portal.dump"
    if binaries is None:
        do_without("no pg_dump")
    original, restored = grant.house.database, f"{grant.house.database}_restored"
    with roles(restored):
        dumping = ["pg_dump", "--format", "custom", "--file", str(dump), url(BACKUP, original)]
        before = work_then_copy(grant, lambda: run(binaries, *dumping))
        as_application = [str(binaries / "pg_dump"), f"{POSTGRESQL.rpartition('/')[0]}/{original}"]
        refused = subprocess.run(as_application, capture_output=True, check=False)
        assert b"row-level security" in refused.stderr, "the role of the application sees no rows"
        options = ["--no-owner", "--single-transaction", "--exit-on-error"]
        run(binaries, "pg_restore", *options, "--dbname", url(OWNER, restored), str(dump))
        other = House(tmp_path / "other", database_url=f"{POSTGRESQL.rpartition('/')[0]}/{restored}")
        (other.folder / "static").mkdir(parents=True)
        # A database that is restored is of this release already; the owner's `migrate` lets the application's role in.
        manage(other, "migrate", "-v", "0", DATABASE_URL=url(OWNER, restored), DATABASE_APPLICATION_ROLE="portal_tests")
        other.environment |= {"CELERY_BROKER_URL": grant.house.broker}
        try:
            manage(other, "after_restore")
            check_goes_on(other, grant, before)
        finally:
            other.kill_all()


@contextmanager
def roles(database: str) -> Iterator[None]:
    """Make the owner, the role that dumps, and an empty database for the owner."""
    with psycopg.connect(f"{SUPERUSER}/postgres", autocommit=True) as connection:
        drop(connection, database)
        for role, rights in ((OWNER, ""), (BACKUP, "BYPASSRLS")):
            connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{role}' {rights}")
        connection.execute(f"GRANT pg_read_all_data TO {BACKUP}")
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(database), sql.Identifier(OWNER)))
        try:
            yield
        finally:
            drop(connection, database)


def drop(connection: psycopg.Connection, database: str) -> None:
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))
    for role in (OWNER, BACKUP):
        connection.execute(f"DROP ROLE IF EXISTS {role}")


def url(role: str, database: str) -> str:
    return f"postgres://{role}:{role}@127.0.0.1:5432/{database}"


def run(binaries: Path, program: str, *arguments: str) -> None:
    subprocess.run([str(binaries / program), *arguments], check=True, timeout=60, env=dict(os.environ))
