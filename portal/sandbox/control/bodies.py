"""What control calls accept, and how they show endpoints and messages."""

from typing import Any

from portal.sandbox.applications import SCOPES_OF
from portal.sandbox.limits import DEFAULTS
from portal.sandbox.schemas import BOOLEAN, MOMENT, NAME, STRING, array, closed, nullable, one_of
from portal.sandbox.store import Json
from portal.sandbox.switches import SWITCHES
from portal.sandbox.tenants import REGIONS
from portal.sandbox.values import moment, read_moment
from portal.sandbox.webhooks.catalogue import EVENT_TYPES
from portal.sandbox.webhooks.endpoints import Endpoint
from portal.sandbox.webhooks.messages import Message

SWITCHED: Json = {"type": "object", "additionalProperties": BOOLEAN, "propertyNames": {"enum": [*SWITCHES]}}
COUNT: Json = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
TEN_YEARS = 10 * 365 * 86400
POSITIVE: Json = {"type": "integer", "minimum": 1}
LIMIT: Json = {"type": ["integer", "null"], "minimum": 0}

APPLICATION = closed(required=["type"], type=one_of(*SCOPES_OF), tenant_id=nullable(NAME))
REDIRECT_URI = closed(required=["redirect_uri"], redirect_uri=NAME)
TENANT = closed(
    required=["name"],
    name=NAME,
    region=one_of(*REGIONS),
    seed={"type": "integer"},
    questionnaires=COUNT,
    responses_per_questionnaire=nullable(COUNT),
    access_requests=COUNT,
    viewers=COUNT,
    contracts=COUNT,
)
SUPERSEDED = closed(required=["source_id"], source_id=NAME)
ENDPOINT = closed(required=["tenant_id", "url"], tenant_id=NAME, url=NAME, event_types=array(STRING))
ENDPOINT_CHANGE = closed(url=NAME, event_types=array(STRING), disabled=BOOLEAN)
EVENT = closed(required=["tenant_id", "type"], tenant_id=NAME, type=NAME, payload={"type": "object"}, object_id=NAME)
OBJECTS = closed(
    required=["objects"],
    objects=array({"type": "object", "required": ["id"], "properties": {"id": NAME}}),
    parent_id=nullable(NAME),
)
FAULT = closed(
    required=["kind"],
    kind=NAME,
    method=nullable(STRING),
    path=nullable(STRING),
    value={"type": ["number", "string", "null"]},
    times=nullable(POSITIVE),
)
CLOCK = closed(required=["advance_seconds"], advance_seconds={"type": "number", "minimum": 0, "maximum": TEN_YEARS})
LIMITS: Json = {"type": "object", "additionalProperties": LIMIT, "propertyNames": {"enum": [*DEFAULTS]}}
RECOVERY = closed(required=["since"], since=MOMENT, until=MOMENT)
OWN_NAME = closed(required=["name"], name=NAME)
EXAMPLE = closed(required=["type"], type=one_of(*EVENT_TYPES))


def time_range(sent: Json) -> dict[str, Any]:
    return {name: read_moment(text).timestamp() for name, text in sent.items()}


def shown_endpoint(endpoint: Endpoint) -> Json:
    return {
        "endpoint_id": endpoint.id,
        "tenant_id": endpoint.tenant_id,
        "url": endpoint.url,
        "event_types": endpoint.event_types,
        "disabled": endpoint.disabled,
        "disabled_by_platform": endpoint.is_disabled_by_platform,
        "failing_since": None if endpoint.failing_since is None else moment(endpoint.failing_since),
    }


def shown_message(message: Message) -> Json:
    attempts = [
        {"at": moment(attempt.at), "status": attempt.status, "seconds": attempt.seconds, "response": attempt.response}
        for attempt in message.attempts
    ]
    return {
        "hook_id": message.hook_id,
        "type": message.type,
        "body": message.body,
        "created_at": moment(message.created_at),
        "state": message.state,
        "due_at": None if message.due_at is None else moment(message.due_at),
        "attempts": attempts,
    }
