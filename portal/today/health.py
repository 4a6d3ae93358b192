"""For load balancers and supervisors: is the process alive, can it do its work."""

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET


@login_not_required
@require_GET
def alive(request: HttpRequest) -> HttpResponse:
    """Answer while the process runs; nothing else is asked."""
    return HttpResponse("ok", content_type="text/plain")


@login_not_required
@require_GET
def ready(request: HttpRequest) -> JsonResponse:
    """Say whether the database answers and has this release's tables."""
    checks = {"database": _database_answers()}
    checks["migrations"] = checks["database"] and _is_migrated()
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())
