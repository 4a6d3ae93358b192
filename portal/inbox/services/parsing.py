"""What a delivery says, and who of us hears of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portal.connections.areas import AUDITS
from portal.connections.services import connection_of_tenant
from portal.inbox.models import Delivery, DeliveryState
from portal.platform_api.webhooks import (
    PLACEHOLDER,
    AccessRequestChanged,
    AuditEvent,
    Event,
    QuestionnaireChanged,
    Unrecognised,
    parse,
)
from portal.sync.services import Effects

type Handler = Callable[[Sequence[Any], Effects], None]
type Routes = Mapping[type[Event], Handler]

OBJECT_FIELDS = ("access_request_id", "questionnaire_id", "vendor_id", "object_id")
LOOK_ALIKES: Mapping[type[Event], str] = {
    QuestionnaireChanged: "v1.questionnaire.created or deleted",
    AccessRequestChanged: "v1.trust-center.access-request.received or denied",
}
"""What to call an event whose type neither the address nor the body tells (platform-api 3.3)."""
EXAMPLE = "Example, nothing to fetch"
"""How the outcome of every example message of the platform's dashboard begins."""
PLACEHOLDERS = f"{EXAMPLE}: the ids in it are placeholders."
OTHER_TRUST_CENTER = "Names another Trust Center than this tenant's; nothing was fetched."
NOT_OURS = "Belongs to an area this connection does not cover."
UNRECOGNISED = "Unrecognized; stored as received."


@dataclass(frozen=True)
class ParsedDelivery:
    """One delivery, read."""

    delivery: Delivery
    event: Event
    ignored: str
    """Why the event has no effect here; empty when it has one."""

    @property
    def state(self) -> DeliveryState:
        return DeliveryState.IGNORED if self.ignored else DeliveryState.DONE

    @property
    def event_type(self) -> str:
        family = getattr(self.event, "family", "")
        return (self.event.type or LOOK_ALIKES.get(type(self.event), "") or (f"v1.{family}" if family else ""))[:200]

    @property
    def object_id(self) -> str:
        return object_id_of(self.event)


def read(deliveries: Iterable[Delivery], routes: Routes) -> list[ParsedDelivery]:
    """Read deliveries of the tenant in scope. Whatever their bytes are, each has a reading."""
    events = [(each, parse(bytes(each.body), event_type=each.event_type or None)) for each in deliveries]
    ours = _own_trust_center() if any(hasattr(event, "slug_id") for _, event in events) else ""
    return [ParsedDelivery(each, event, _reason_to_ignore(event, routes, ours)) for each, event in events]


def _own_trust_center() -> str:
    grant = connection_of_tenant()
    return grant.slug_id if grant is not None else ""


def _reason_to_ignore(event: Event, routes: Routes, ours: str) -> str:
    if isinstance(event, Unrecognised):
        return UNRECOGNISED
    is_refused = isinstance(event, AuditEvent) and not AUDITS.is_granted_by(connection_of_tenant())
    if type(event) not in routes or is_refused:
        return PLACEHOLDERS if object_id_of(event) == PLACEHOLDER else NOT_OURS
    slug_id = getattr(event, "slug_id", "")
    if slug_id == PLACEHOLDER != ours:
        return PLACEHOLDERS
    return OTHER_TRUST_CENTER if slug_id and ours not in ("", slug_id) else ""


def object_id_of(event: Event) -> str:
    """Return the id of the object that an event names; empty when it names none."""
    return next((getattr(event, name) for name in OBJECT_FIELDS if hasattr(event, name)), "")
