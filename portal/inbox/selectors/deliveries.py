"""Finding deliveries, and telling what became of one."""

import json

from django.db.models import Min, Q

from portal.inbox.models import Delivery, DeliveryState, Endpoint
from portal.platform_api.webhooks import MAX_HOOK_ID_LENGTH
from portal.sync.models import StaleMark
from portal.tenants.scope import all_tenants

SEARCHED = 2_000
"""The newest deliveries that are looked through for a part of a word.

With row-level security PostgreSQL expects a hundredth of a tenant's rows; asked for more than that it sorts all there are.
"""
MAX_FOUND = 1000
"""Deliveries that name one object and are found by its id."""
MAX_SHOWN_LENGTH = 20_000
"""Characters of a payload that a page shows; a signed one may be 256 KiB of anything."""
CONTROL = {code: f"\\x{code:02x}" for code in range(32) if chr(code) not in "\n\t"}


def found(text: str) -> Q:
    """Find deliveries by words: by the whole id of a message or an object at any age, else by a part of them among the newest.

    A part of a word is in no index; to look through the newest ones takes the same time however many there are.
    """
    text = text.strip().replace("\x00", "")[:MAX_HOOK_ID_LENGTH]
    if not text:
        return Q()
    endpoints = list(Endpoint.objects.values_list("pk", flat=True))
    exact = [
        pk
        for rows in (Delivery.objects.filter(endpoint__in=endpoints, hook_id=text), Delivery.objects.naming(text))
        for pk in rows.order_by("-id").values_list("pk", flat=True)[:MAX_FOUND]
    ]
    if exact:
        return Q(pk__in=exact)
    words = Q(hook_id__icontains=text) | Q(object_id__icontains=text) | Q(event_type__icontains=text)
    oldest = Delivery.objects.order_by("-id").values_list("pk", flat=True)[SEARCHED : SEARCHED + 1].first()
    return words if oldest is None else words & Q(pk__gt=oldest)


def pretty(body: bytes) -> str:
    """Write a payload out for people. Whatever the bytes are, the answer is text that can be shown."""
    text = body.decode("utf-8", "backslashreplace")
    try:
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = text.translate(CONTROL)
    # Halves of surrogate pairs are valid JSON but no valid text.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= MAX_SHOWN_LENGTH else text[:MAX_SHOWN_LENGTH] + "\n…"


def chain(delivery: Delivery) -> list[dict[str, str]]:
    """Return the way of a delivery as steps: received, understood, marked, fetched. Each says what came of it."""
    secret = "the previous secret" if delivery.secret_index else "the current secret"
    received = {"state": "done", "title": "Received and verified", "detail": f"At “{delivery.endpoint}”, signed with {secret}."}
    if delivery.state in (DeliveryState.PENDING, DeliveryState.DEAD):
        failed = {"state": "now", "title": str(delivery), "detail": delivery.description}
        return [received, failed]
    understood = {"state": "done", "title": f"Recognized as {delivery}", "detail": _stated(delivery)}
    if delivery.state == DeliveryState.IGNORED or not delivery.object_id:
        return [received, understood]
    return [received, understood, _fetched(delivery)]


def _stated(delivery: Delivery) -> str:
    if delivery.state == DeliveryState.IGNORED:
        return delivery.outcome
    if not delivery.object_id:
        return "No object named."
    return f"Its content was applied immediately; {delivery.object_id} was queued to be fetched."


def _fetched(delivery: Delivery) -> dict[str, str]:
    unreadable = StaleMark.objects.unreadable().filter(object_id=delivery.object_id).first()
    if unreadable:
        return {"state": "now", "title": "Could not be read", "detail": f"{unreadable.problem}. The copy is unchanged."}
    if delivery.outcome:
        return {"state": "done", "title": "Asked the platform", "detail": delivery.outcome}
    waiting = StaleMark.objects.waiting().filter(object_id=delivery.object_id).first()
    if waiting is None:
        return {"state": "done", "title": "Asked the platform", "detail": "Fetched together with other updates to it."}
    return {"state": "now", "title": "To be fetched", "detail": waiting.last_error or "Next in line."}


def tenants_with_due_deliveries() -> list[int]:
    """Return the tenants whose deliveries wait for a worker, the longest waiting first."""
    with all_tenants("the sweep looks for every tenant's deliveries"):
        # Grouped: the hundred thousand rows of one tenant must not hide those of another (guarantee Q6).
        rows = Delivery.objects.due().order_by().values("tenant_id").annotate(first=Min("due_at")).order_by("first")
        return list(rows.values_list("tenant_id", flat=True))
