"""The connection that the statement of the receiver keeps: always in the scope of who asks, and replaced when it is gone."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection as database
from psycopg_pool import ConnectionPool

from portal.tenants.postgresql.express import Express
from portal.tenants.postgresql.pooled import Pooled, check_and_apply
from portal.tenants.scope import all_tenants, tenant_scope
from tests.environment import POSTGRESQL

pytestmark = [pytest.mark.once, pytest.mark.skipif(database.vendor != "postgresql", reason="SQLite has no pool")]

ROWS_OF_THE_SCOPE = "SELECT 1 WHERE current_setting('portal.tenant') = %s"
END_ITSELF = "SELECT pg_terminate_backend(pg_backend_pid(), 5000)"


def make_pool() -> ConnectionPool[Pooled]:
    options = {"kwargs": {"autocommit": True}, "check": check_and_apply, "min_size": 1, "max_size": 2, "timeout": 5}
    return ConnectionPool(POSTGRESQL, connection_class=Pooled, open=False, **options)


@pytest.fixture
def pool():
    made = make_pool()
    yield made
    made.close()


@pytest.fixture
def express():
    return Express()


def test_s1_each_statement_sees_the_scope_of_who_runs_it(express, pool):
    for tenant_id in (1, 1, 2):
        with tenant_scope(tenant_id):
            assert express.run(pool, ROWS_OF_THE_SCOPE, [str(tenant_id)]) == 1
    with all_tenants("the test asks for nothing"):
        assert express.run(pool, ROWS_OF_THE_SCOPE, ["all"]) == 1
    assert express.run(pool, ROWS_OF_THE_SCOPE, [""]) == 1
    assert pool.get_stats()["requests_num"] == 1


def test_h5_a_connection_that_has_gone_is_replaced_and_the_pool_stays_as_large_as_it_was(express, pool):
    for _ in range(4):
        with pytest.raises(psycopg.OperationalError):
            express.run(pool, END_ITSELF, [])
        assert express.run(pool, ROWS_OF_THE_SCOPE, [""]) == 1
    assert pool.get_stats()["pool_size"] <= 2


def test_h5_one_that_was_closed_meanwhile_is_not_used(express, pool):
    express.run(pool, ROWS_OF_THE_SCOPE, [""])
    with psycopg.connect(POSTGRESQL, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [express._kept[1].info.backend_pid])
    assert express.run(pool, ROWS_OF_THE_SCOPE, [""]) == 1


def test_a_statement_that_fails_leaves_the_connection_for_the_next(express, pool):
    with pytest.raises(psycopg.DataError):
        express.run(pool, "SELECT 1 / %s::int", [0])
    assert express.run(pool, ROWS_OF_THE_SCOPE, [""]) == 1
    assert pool.get_stats()["requests_num"] == 1


def test_many_threads_take_turns(express, pool):
    def ask(tenant_id: int) -> int:
        with tenant_scope(tenant_id):
            return express.run(pool, ROWS_OF_THE_SCOPE, [str(tenant_id)])

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(ask, range(1, 200))) == {1}


def test_another_pool_has_a_connection_of_its_own(express, pool):
    express.run(pool, ROWS_OF_THE_SCOPE, [""])
    pool.close()
    other = make_pool()
    assert express.run(other, ROWS_OF_THE_SCOPE, [""]) == 1
    other.close()
