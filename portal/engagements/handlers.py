"""What an event states is applied at once; the rest is fetched. An event is a hint: neither its order nor its time counts."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from portal.engagements.kinds import AREA, CONTROL, ENGAGEMENT, EVIDENCE, PARTS, REQUEST
from portal.engagements.models import Engagement, EngagementControl, EvidenceItem, InformationRequest
from portal.engagements.models.engagements import MAX_WORD_LENGTH
from portal.lib.storable import storable_text
from portal.platform_api.models.audits import in_upper_case
from portal.platform_api.webhooks import AuditEvent
from portal.sync.copies import locked_in_order
from portal.sync.services import Effects

FAMILIES: Mapping[str, tuple[str, type[Any]]] = {
    "information-request": (REQUEST, InformationRequest),
    "evidence": (EVIDENCE, EvidenceItem),
    "control": (CONTROL, EngagementControl),
}
"""How families of events begin: what is fetched for them, and the rows that tell which audit it belongs to."""


def sync_audits(events: Sequence[AuditEvent], effects: Effects) -> None:
    """Show the statuses at once, and fetch what the events name; of what is new here, the lists of its audit."""
    for family, (kind, model) in FAMILIES.items():
        ours = [each for each in events if each.family.partition(".")[0] == family]
        ids = {each.object_id for each in ours}
        known = set(model._default_manager.filter(platform_id__in=ids).values_list("platform_id", flat=True))
        effects.fetch(kind, known)
        _fetch_audits({each.audit_id for each in ours if each.object_id not in known}, effects)
        if kind in (REQUEST, EVIDENCE):
            # The last one that came; the fetch decides.
            stated = {each.object_id: str(in_upper_case(each.new_status)) for each in ours if each.new_status}
            effects.show(AREA, partial(show_statuses, model, stated))


def _fetch_audits(audit_ids: set[str], effects: Effects) -> None:
    """Fetch what audits consist of; one that is new here is fetched first, and brings the rest with it."""
    known = set(Engagement.objects.filter(platform_id__in=audit_ids).values_list("platform_id", flat=True))
    effects.fetch(PARTS, known)
    effects.fetch(ENGAGEMENT, audit_ids - known)


def show_statuses(model: type[Any], stated: Mapping[str, str]) -> bool:
    """Show the statuses that events told, provisionally; the fetch confirms them. An event may tell of no change."""
    shown = False
    # Locked in one order, so that two batches with the same rows wait for each other; a page of the list too.
    rows = model._default_manager.filter(platform_id__in=stated, gone_at=None).only("pk", "platform_id", "status")
    for row in locked_in_order(rows):
        status = storable_text(stated[row.platform_id])[:MAX_WORD_LENGTH]
        if status != row.status:
            model._default_manager.filter(pk=row.pk).update(status=status, is_provisional=True)
            shown = True
    return shown


ROUTES: dict[type, Callable[[Sequence[Any], Effects], None]] = {AuditEvent: sync_audits}
