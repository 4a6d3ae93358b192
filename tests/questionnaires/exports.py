"""Acme's exports in front of the sandbox, and a worker that does what is due."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.test import Client
from django.utils import timezone

from portal.audit.services import history
from portal.platform_api.webhooks import Event
from portal.questionnaires.handlers import ROUTES
from portal.questionnaires.models import Export
from portal.questionnaires.services import export_verification
from portal.questionnaires.tasks import verify_export
from portal.sync.services import Effects
from tests.questionnaires.conftest import Desk, address

CALL = "/v1/customer-trust/questionnaires/exports"


def page_of(desk: Desk) -> str:
    return f"{address(desk.questionnaire)}exports/"


def ask(client: Client, desk: Desk, export_format: str = "csv", **options: Any) -> Any:
    """Press a button of the page; without `headers` as a browser without JavaScript does."""
    return client.post(f"{page_of(desk)}request/", {"format": export_format}, **options)


def download(client: Client, desk: Desk, export: Export, **options: Any) -> Any:
    return client.post(f"{page_of(desk)}{export.pk}/download/", **options)


def look_at_due() -> None:
    """Do what is due now, as the sweep and the workers would."""
    for tenant_id, export_id in export_verification.due_exports():
        verify_export(tenant_id, export_id)


def work() -> None:
    """Look at everything that is to be looked at, as if the time for it had come."""
    Export.objects.filter(due_at__isnull=False).exclude(platform_id="").update(due_at=timezone.now() - timedelta(seconds=1))
    look_at_due()


def end_there(desk: Desk, *, advance: float = 6) -> None:
    """Let the platform write its files, and deliver nothing of it."""
    desk.sandbox.advance(advance)
    sandbox = desk.sandbox.app.extensions["sandbox"]  # type: ignore[attr-defined]
    while sandbox.run_next_job():
        pass


def fail_there(desk: Desk) -> None:
    """Leave the platform nothing to export."""
    row = desk.questionnaire
    for response in desk.sandbox.objects(desk.tenant_id, "responses"):
        if row.responses.filter(platform_id=response["id"]).exists():
            desk.objects.delete(desk.tenant_id, "responses", response["id"])


def starts(desk: Desk) -> int:
    """How often the platform was asked to begin an export."""
    return len([each for each in desk.sandbox.requests(CALL) if each["method"] == "POST"])


def there(desk: Desk) -> list[dict[str, Any]]:
    """The exports as they stand at the platform."""
    return desk.sandbox.objects(desk.tenant_id, "exports")


def actions(desk: Desk) -> list[str]:
    """What stands in the history of the questionnaire, newest first."""
    return [entry.action for entry in history("questionnaire", desk.questionnaire.platform_id)]


def handle(*events: Event) -> None:
    """Let the handler of events state what follows from them, and write that."""
    effects = Effects()
    ROUTES[type(events[0])](events, effects)
    with transaction.atomic():
        effects.write()


def only() -> Export:
    return Export.objects.select_related("questionnaire").get()
