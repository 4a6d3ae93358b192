"""The mirrors that most tests need, and the mirror of a tenant in the shape of the platform's objects, to be compared."""

from typing import Any

from portal.access_requests.models import AccessRequest, Viewer
from portal.event_log.models import LOG_ENTRY
from portal.inbox.routes import MIRRORS
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import ACTIVITY, CONVERSATION, MESSAGES

FOR_DESKS = tuple(mirror for mirror in MIRRORS if mirror.kind not in {ACTIVITY, CONVERSATION, MESSAGES, LOG_ENTRY})
"""Without what visitors do and what the platform has logged: half of a copy, which few pages show."""


def mirror(tenant_id: int) -> dict[str, dict[str, Any]]:
    """Return what is shown of each object, by the platform's kind and id. What is gone is left out."""
    with tenant_scope(tenant_id):
        questionnaires = Questionnaire.objects.present()
        responses = Response.objects.present().filter(questionnaire__gone_at=None)
        requests = AccessRequest.objects.present()
        return {
            # The status as pages show it: an event may have stated it, the payload was fetched.
            "questionnaires": {row.platform_id: row.payload | {"status": row.status} for row in questionnaires},
            "responses": dict(responses.values_list("platform_id", "payload")),
            "access-requests": {row.platform_id: row.payload for row in requests if row.is_pending},
            "historical-access-requests": {row.platform_id: row.payload for row in requests if not row.is_pending},
            "viewers": dict(Viewer.objects.present().values_list("platform_id", "payload")),
        }
