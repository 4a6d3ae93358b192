"""What a call has changed, as an entry of the tenant's event log (platform-api 4.12: types and actions are open strings)."""

from portal.sandbox.api.route import Answer, Call, Route
from portal.sandbox.kinds import BY_PLACEHOLDER, KINDS, Kind
from portal.sandbox.store import Json
from portal.sandbox.values import new_id

VERBS = {"POST": "CREATE", "PUT": "UPDATE", "PATCH": "UPDATE", "DELETE": "DELETE"}
LOG = "event-logs"
IDS = ("id", "controlId", "riskId")
"""What answers call the id of what they show; a control of a risk scenario and a scenario itself have no other."""
RISK_CONTROL = "<risk_control_id>"
"""Not looked up: its calls take the short name of the control as well."""


def log_write(call: Call, route: Route, answer: Answer) -> None:
    """Write down who changed what. A call that reads leaves no entry."""
    if route.method not in VERBS:
        return
    verb, target = _verb_and_target(call, route, answer)
    entry: Json = {
        "id": new_id(),
        "actor": {"type": "APPLICATION", "id": call.caller.application.client_id},
        "date": call.now,
        "action": f"{verb}_{target['type']}" if target else verb,
        "targets": [target] if target else [],
    }
    call.sandbox.objects.add(call.tenant.id, LOG, entry)


def _verb_and_target(call: Call, route: Route, answer: Answer) -> tuple[str, Json | None]:
    *_, before, last = route.path.split("/")
    made = next((answer[name] for name in IDS if name in answer), None) if isinstance(answer, dict) and last in KINDS else None
    if isinstance(made, str):
        return VERBS[route.method], _target(KINDS[last], made)
    if last == RISK_CONTROL:
        return VERBS[route.method], _target(KINDS[before], call.ids[last[1:-1]])
    verb = VERBS[route.method] if last in KINDS or last.startswith("<") else _snake(last)
    named = next((name for name in [*call.found][::-1] if name in BY_PLACEHOLDER), None)
    return verb, _target(BY_PLACEHOLDER[named], call.found[named]["id"]) if named else None


def _target(kind: Kind, object_id: str) -> Json:
    return {"type": _snake(kind.title), "id": object_id}


def _snake(words: str) -> str:
    return words.replace("-", "_").replace(" ", "_").upper()
