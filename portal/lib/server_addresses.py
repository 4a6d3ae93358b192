"""Where the database, the broker and the shared cache are, and how each is asked, read from the environment."""

import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from portal.lib.environment import env, is_loopback

DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql", "psql", "pgsql")


def database(*, data_dir: Path) -> dict[str, Any]:
    """Read DATABASE_URL, with what each database needs; unset: a file in the data folder."""
    url: str = env.str("DATABASE_URL", default=f"sqlite:///{data_dir / 'portal.sqlite3'}")
    if url.partition("://")[0].lower() not in DATABASE_SCHEMES:
        # The address is not repeated: it holds a password.
        raise ImproperlyConfigured(
            "DATABASE_URL names neither a PostgreSQL database nor a SQLite file. Set it, for example to "
            "postgres://portal:password@db.example.com:5432/portal, or unset it: the database is then a file in DATA_DIR."
        )
    found: dict[str, Any] = env.db_url_config(url)
    return _sqlite(found, data_dir) if found["ENGINE"] == "django.db.backends.sqlite3" else _postgresql(found)


def _sqlite(found: dict[str, Any], data_dir: Path) -> dict[str, Any]:
    # IMMEDIATE: a transaction that reads and then writes would otherwise fail with "database is locked" under load.
    options = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # secure_delete: what is deleted is overwritten in the file as well (guarantee S11), whatever SQLite was built with.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
    }
    # Kept between requests: who opens the file as the only one has to make its index anew, which a full disk does not allow.
    found |= {"CONN_MAX_AGE": 600} if os.environ.get("PORTAL_PROCESS") == "web" else {}
    # A file: a database in memory has no WAL, and its threads lock each other out.
    return {**found, "OPTIONS": options, "TEST": {"NAME": data_dir / "tests.sqlite3"}}


def _postgresql(found: dict[str, Any]) -> dict[str, Any]:
    # Nothing is prepared but what asks for it (`lib.database.run_prepared`): the ORM's statements hold their values.
    options: dict[str, Any] = {"connect_timeout": 3, "prepare_threshold": 0}
    # After a restart of the database nobody is handed a connection of before it (guarantee H5).
    found = {**found, "ENGINE": "portal.tenants.postgresql", "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    if os.environ.get("PORTAL_PROCESS") == "web":
        options["options"] = "-c lock_timeout=3s -c statement_timeout=4s"
        # The pool is for web processes only: workers fork, and a pool opened before a fork is broken (guarantee O5).
        options["pool"] = {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL_SIZE", default=10),
            "timeout": 4,
            # By default its tries grow apart up to five minutes, and a database that is back would not be noticed.
            "reconnect_timeout": 2,
        }
    else:
        options["options"] = "-c lock_timeout=10s -c statement_timeout=60s"
        found["CONN_MAX_AGE"] = 600
    return found


def broker_url() -> str:
    """Read CELERY_BROKER_URL; unset: files in the data folder. For an empty one Celery would ask a RabbitMQ on this machine."""
    value: str = env.str("CELERY_BROKER_URL", default="filesystem://localhost")
    if "://" not in value:
        raise ImproperlyConfigured(
            "CELERY_BROKER_URL is not an address. Set it, for example to redis://broker.example.com:6379/0, or unset it: "
            "messages are then files in DATA_DIR."
        )
    return value


def shared_cache(*, site: str) -> dict[str, Any]:
    """Read CACHE_URL for what all processes count together, such as failed sign-ins (guarantee S14); unset: the database."""
    # Room for what many clients make up together: a full cache forgets counts, and with them the limits.
    url: str = env.str("CACHE_URL", default="dbcache://shared_cache?max_entries=100000")
    if not url:
        raise ImproperlyConfigured(
            "CACHE_URL is empty. Unset it, or name a server, for example rediscache://cache.example.com:6379/1"
        )
    values: dict[str, Any] = env.cache_url_config(url)
    if not is_loopback(site) and values["BACKEND"].endswith((".LocMemCache", ".DummyCache")):
        raise ImproperlyConfigured(
            "CACHE_URL names a cache of one process: each would count failed sign-ins for itself. Unset it, or name a server, "
            "for example rediscache://cache.example.com:6379/1"
        )
    return values
