"""The settings every test runs with. A pytest plugin, because settings are read before any conftest."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

POSTGRESQL = os.environ.get("TEST_DATABASE_URL", "postgres://portal_tests:portal_tests@127.0.0.1:5432/portal_tests")
"""The role is made by `tests.run`: neither superuser nor BYPASSRLS, or row-level security would not be tested.
Two checkouts that are tested at the same time on one machine each name a database of their own."""

REDIS = os.environ.get("TEST_BROKER_URL", "redis://127.0.0.1:6379/15")


def prepare() -> None:
    """Fill the environment, unless it says otherwise."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    folder = tempfile.mkdtemp(prefix=f"portal-tests-{worker}-")
    Path(folder, "static").mkdir()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    on_services = os.environ.get("TEST_SERVICES") == "1"
    os.environ.update(
        DATA_DIR=folder,
        # A worker of the suite inherits that of the process that has started it: the figures would be those of all.
        PROMETHEUS_MULTIPROC_DIR=f"{folder}/metrics",
        DATABASE_URL=POSTGRESQL if on_services else f"sqlite:///{folder}/tests.sqlite3",
        CELERY_BROKER_URL=REDIS if on_services else "filesystem://localhost",
        PUBLIC_URL="http://127.0.0.1:8000",
        SECRET_KEY="tests-" + "k" * 60,
        FIELD_ENCRYPTION_KEYS="dGVzdHMtb25seS1rZXktbnVtYmVyLW9uZS0zMmJ5dGU=",
        PLATFORM_API_URL="http://127.0.0.1:8001",
        PLATFORM_CLIENT_ID="portal-tests-client",
        PLATFORM_CLIENT_SECRET="portal-tests-secret",
        SANDBOX_PUBLIC_CLIENT_ID="portal-tests-client",
        SANDBOX_PUBLIC_CLIENT_SECRET="portal-tests-secret",
        EMAIL_URL="memorymail://",
        # Many tests look again after days; the limits of sessions have tests of their own.
        SESSION_IDLE_HOURS="1000",
        SESSION_MAX_HOURS="1000",
        LOG_LEVEL="WARNING",
        LOG_FORMAT="line",
    )
    for name in (
        "DEBUG",
        "ALLOWED_HOSTS",
        "BREACHED_PASSWORDS_URL",
        "CACHE_URL",
        "METRICS_TOKEN",
        "PLATFORM_APP_URLS",
        "PLATFORM_GOV_API_URL",
        "PLATFORM_ISSUERS",
        "PLATFORM_SCOPES",
        "SENTRY_DSN",
    ):
        os.environ.pop(name, None)


prepare()
