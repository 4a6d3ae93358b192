"""The desk's copies of a person: found and erased when a deletion request asks for it."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models import AccessRequest, AccessRequestQuerySet, Decision, Viewer, ViewerQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.store import request_columns
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.tenants.mentions import Mentions, register_mentions
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts, register_texts

TEXTS = ("name", "company", "search", "reason", "denial_reason", "payload")
"""What is made of a request's texts. Its outcome may have been told by an event since: erasing somebody does not undo that."""


def erase(rows: AccessRequestQuerySet | ViewerQuerySet) -> None:
    """Delete them, with the decisions about them and the changes to them. Nothing about the person is kept anywhere else."""
    rows.delete()
    touch_areas(AREA)


def viewer_ids(email: str) -> Iterable[str]:
    """Return the platform's ids of a person as a viewer."""
    yield from Viewer.objects.of_person(email).values_list("platform_id", flat=True)
    yield from AccessRequest.objects.of_person(email).values_list("viewer_id", flat=True)


def _of_person(email: str) -> Q:
    return Q(folded_email=fold(email))


def _of_request(payload: Any) -> dict[str, Any]:
    columns = request_columns(remote.AccessRequest.read(payload), is_open=False)
    return {name: columns[name] for name in TEXTS} | {"touched_at": timezone.now()}


def _decisions_about_others(email: str) -> Rows:
    rows: Rows = Decision.objects.filter(reason__contains="@").exclude(access_request__folded_email=fold(email))
    return rows


def register_personal_data() -> None:
    changed = partial(touch_areas, AREA)
    register_holding(
        "Access requests",
        rows=lambda email: AccessRequest.objects.of_person(email),
        erase=erase,
        addresses=lambda: each_once(AccessRequest.objects.all()),
    )
    register_holding(
        "Viewers",
        rows=lambda email: Viewer.objects.of_person(email),
        erase=erase,
        addresses=lambda: each_once(Viewer.objects.all()),
        viewer_ids=viewer_ids,
    )
    register_payloads("People who added viewers", Payloads(kind=Viewer, changed=changed, own=_of_person))
    named = Mentions(kind=AccessRequest, columns_of=_of_request, changed=changed, own=_of_person)
    register_mentions([("People named in access requests", named)])
    reasons = Texts(kind=Decision, columns=("reason",), changed=changed, likely=_decisions_about_others)
    register_texts([("Reasons of access decisions", reasons)])
