"""S17: the script that a new PostgreSQL runs in a container makes the roles that the documents describe."""

import os
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.faults.cluster import OWNER, find_binaries, own_cluster
from tests.faults.house import ON_SERVICES
from tests.support.optional_programs import do_without

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(not ON_SERVICES, reason="about PostgreSQL"),
]
SCRIPT = Path(__file__).parents[2] / "deploy" / "postgres" / "roles.sh"
PASSWORDS = {"PORTAL_OWNER_PASSWORD": "it's the owner's", "PORTAL_PASSWORD": "a$b", "PORTAL_BACKUP_PASSWORD": "c d"}
ROLES = (
    "SELECT rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname LIKE 'portal%' ORDER BY 1"
)


def test_s17_the_roles_of_a_container_are_those_of_the_documents():
    binaries = find_binaries()
    if binaries is None:
        do_without("no PostgreSQL to start: initdb and pg_ctl are not installed")
    with own_cluster(binaries) as cluster:
        port = cluster.url.rpartition(":")[2].partition("/")[0]
        place = {"PGHOST": "127.0.0.1", "PGPORT": port, "POSTGRES_USER": OWNER, "PGDATABASE": "postgres"}
        with psycopg.connect(f"postgres://{OWNER}@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE portal_faults")
            connection.execute("DROP ROLE portal_faults")
        environment = {**os.environ, **place, **PASSWORDS, "PATH": f"{binaries}:{os.environ['PATH']}"}
        subprocess.run(["sh", str(SCRIPT)], env=environment, check=True, capture_output=True)
        with psycopg.connect(f"postgres://{OWNER}@127.0.0.1:{port}/portal") as connection:
            assert connection.execute(ROLES).fetchall() == [
                ("portal", False, False, False, False),
                ("portal_backup", False, True, False, False),
                ("portal_owner", False, False, False, False),
            ]
            assert connection.execute("SHOW jit").fetchone() == ("off",)
            may_create = "SELECT has_schema_privilege(%s, 'public', 'CREATE')"
            assert connection.execute(may_create, ["portal_owner"]).fetchone() == (True,)
            assert connection.execute(may_create, ["portal"]).fetchone() == (False,)
