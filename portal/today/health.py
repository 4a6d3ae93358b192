"""For load balancers and supervisors: is the process alive, can it do its work."""

from celery import current_app
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from portal.lib.metrics import render


@login_not_required
@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """Answer while the process runs; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@login_not_required
@require_GET
def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database answers, has this release's tables, and whether the broker takes bells.

    A broker that is down is told and costs no traffic: deliveries are kept without it (guarantee H6).
    """
    has_database = _database_answers()
    checks = {"database": has_database, "migrations": has_database and _is_migrated(), "broker": _broker_answers()}
    is_ready = checks["database"] and checks["migrations"]
    return JsonResponse(checks, status=200 if is_ready else 503)


@login_not_required
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Numbers for operators, over all tenants together, as Prometheus reads them."""
    return HttpResponse(render(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
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
