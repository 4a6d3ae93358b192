"""For load balancers and supervisors: is the process alive, can it do its work."""

from secrets import compare_digest

from celery import current_app
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from portal.lib.database import waiting_for_locks
from portal.lib.environment import LOOPBACK_HOSTS
from portal.lib.metrics import render, worst

WORK = {
    "oldest_due_seconds": "portal_oldest_due_seconds",
    "oldest_attempt_seconds": "portal_oldest_attempt_seconds",
    "token_calls": "portal_token_calls",
    "last_heartbeat_seconds": "portal_last_heartbeat_seconds",
    "last_bell_seconds": "portal_last_bell_seconds",
}
LOCK_SECONDS = 1.0
"""A probe waits no longer for others who write."""


@login_not_required
@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """Answer while the process runs; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@login_not_required
@require_GET
def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database takes writes, has this release's tables, and whether the broker takes messages.

    A broker or a worker that is down is told and costs no traffic: deliveries are kept without them (guarantees H6, O3).
    """
    has_database = _takes_writes()
    checks: dict[str, object] = {"database": has_database, "broker": _broker_answers()}
    checks["migrations"] = is_ready = has_database and _is_migrated()
    if is_ready:
        checks["work"] = _work()
    return JsonResponse(checks, status=200 if is_ready else 503)


@login_not_required
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Numbers for operators, over all tenants together, as Prometheus reads them: for whoever shows METRICS_TOKEN.

    Where there is none, for this machine alone, and not through a proxy that stands on it.
    """
    if settings.METRICS_TOKEN:
        if not compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
            return HttpResponse("Show METRICS_TOKEN.", status=401, headers={"WWW-Authenticate": "Bearer"})
    elif not _is_on_this_machine(request):
        return HttpResponse("Set METRICS_TOKEN, and show it.", status=403)
    return HttpResponse(render(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _is_on_this_machine(request: HttpRequest) -> bool:
    is_forwarded = bool({"HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP"} & request.META.keys())
    return not is_forwarded and request.META.get("REMOTE_ADDR") in LOOPBACK_HOSTS


def _work() -> dict[str, float | None]:
    """How far behind the work is, as the metrics have it: the worst of each, over all tenants. Null: there was none yet."""
    readings = worst()
    return {name: readings.get(reading) for name, reading in WORK.items()}


def _takes_writes() -> bool:
    """Say whether the database answers and can store something (guarantee O4)."""
    try:
        with waiting_for_locks(LOCK_SECONDS), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SHOW transaction_read_only")
                return bool(cursor.fetchone()[0] == "off")
            # The number that nobody uses: it is a write that changes nothing.
            cursor.execute("PRAGMA user_version = 0")
    except DatabaseError as error:
        # Others write: it can be written to.
        return getattr(error.__cause__, "sqlite_errorname", "").startswith("SQLITE_BUSY")
    return True


def _broker_answers() -> bool:
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=1)
    except Exception:  # each transport fails in its own way
        return False
    return True


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
