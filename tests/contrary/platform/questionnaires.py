"""Questionnaires, their responses and exports (specification 4.7, platform-api 4.1.1 - 4.1.6)."""

from typing import Any
from urllib.parse import quote

from tests.contrary.platform.wire import Answer, Refused, Request
from tests.contrary.platform.world import responses_of

type Json = dict[str, Any]
KIND = "questionnaires"
PATH = "customer-trust/questionnaires"


def found(platform: Any, kind: str, object_id: str) -> Json:
    try:
        one: Json = platform.world.all(kind)[object_id]
    except KeyError:
        raise Refused(404, "unknown_object", f"There is no {object_id[:40]}") from None
    return one


def touch(platform: Any, one: Json, **changes: Any) -> Json:
    """Change an object; its date moves on by whole seconds. What is there already is no change."""
    if all(one.get(name) == value for name, value in changes.items()):
        return one
    platform.done("change", one["id"], changes)
    one |= changes
    one["updatedDate"] = platform.world.tick()
    return one


def listed(platform: Any, request: Request) -> Answer:
    every = platform.world.all(KIND).values()
    if words := request.asks("q"):
        every = [each for each in every if words.casefold() in each.get("displayName", "").casefold()]
    return platform.page(request, every)


def one(platform: Any, request: Request, questionnaire_id: str) -> Json:
    if questionnaire_id == "assignable-users":
        users = platform.world.all("users").values()
        return {"results": {"data": [{"id": each["id"], "displayName": each["displayName"]} for each in users]}}
    return found(platform, KIND, questionnaire_id)


def change(platform: Any, request: Request, questionnaire_id: str) -> Json:
    body = request.json
    if body.get("status") in ("APPROVED", "COMPLETE"):
        raise Refused(409, "use_the_other_call")
    return touch(platform, found(platform, KIND, questionnaire_id), **body)


def approve(platform: Any, request: Request, questionnaire_id: str) -> Json:
    row = found(platform, KIND, questionnaire_id)
    if row["status"] == "APPROVED":
        raise Refused(409, "approved_already")
    platform.done("approve", questionnaire_id, request.json)
    return touch(platform, row, status="APPROVED")


def complete(platform: Any, request: Request, questionnaire_id: str) -> Json:
    row = found(platform, KIND, questionnaire_id)
    if row["status"] == "COMPLETE":
        raise Refused(422, "complete_already")
    platform.done("complete", questionnaire_id, request.json)
    return touch(platform, row, status="COMPLETE", completedDate=platform.world.now())


def delete(platform: Any, request: Request, questionnaire_id: str) -> Answer:
    found(platform, KIND, questionnaire_id)
    del platform.world.all(KIND)[questionnaire_id]
    platform.done("delete", questionnaire_id)
    return Answer(204)


def from_website(platform: Any, request: Request) -> Answer:
    body = request.json
    return _created(platform, body | {"type": "WEBSITE"})


def from_file(platform: Any, request: Request) -> Answer:
    form = request.form
    return _created(platform, {"displayName": form["displayName"], "type": "FORM", "description": form.get("description")})


def _created(platform: Any, fields: Json) -> Answer:
    at = platform.world.now()
    made = platform.world.add(KIND, status="THINKING_ABOUT_IT", createdDate=at, updatedDate=at, **fields)
    platform.done("create", fields["displayName"])
    return Answer(202, made)


def responses(platform: Any, request: Request, questionnaire_id: str) -> Answer:
    found(platform, KIND, questionnaire_id)
    return platform.page(request, platform.world.all(responses_of(questionnaire_id)).values())


def response(platform: Any, request: Request, questionnaire_id: str, response_id: str) -> Json:
    return found(platform, responses_of(questionnaire_id), response_id)


def answer(platform: Any, request: Request, questionnaire_id: str, response_id: str) -> Json:
    row, parts = response(platform, request, questionnaire_id, response_id), request.json["answerPartsValues"]
    platform.done("answer", response_id, parts)
    row["answerPartsValues"] = {**(row.get("answerPartsValues") or {}), **parts}
    row["editedBy"] = {"id": "application/1", "email": None}
    return row


def give(platform: Any, request: Request, questionnaire_id: str, response_id: str) -> Json:
    row = response(platform, request, questionnaire_id, response_id)
    row["ownerAssignment"] = request.json["ownerAssignment"]
    platform.done("give", response_id, row["ownerAssignment"])
    return row


def start_export(platform: Any, request: Request) -> Answer:
    body = request.json
    found(platform, KIND, body["questionnaireId"])
    made = platform.world.add("exports", status="pending", format=body["format"], requestedAt=platform.world.now())
    platform.done("export", body["questionnaireId"])
    return Answer(202, made)


def export(platform: Any, request: Request, export_id: str) -> Json:
    """Look at an export: the first look finds it at work, in a state that nobody has heard of; later it is ready."""
    row = found(platform, "exports", export_id)
    looks = row["looks"] = row.get("looks", 0) + 1
    if looks == 1:
        return row | {"status": "folding_the_paper"}
    address = f"https://files.contrary.example/x/{quote(export_id, safe='')}?sig=a%2Fb&look={looks}#page"
    ready = {"status": "completed", "completedAt": platform.world.now(), "downloadUrl": address}
    return row | ready | {"expiresAt": platform.world.later(hours=24)}


ROUTES = (
    ("GET", PATH, listed),
    ("POST", f"{PATH}/file", from_file),
    ("POST", f"{PATH}/website", from_website),
    ("POST", f"{PATH}/exports", start_export),
    ("GET", f"{PATH}/exports/{{}}", export),
    ("GET", f"{PATH}/{{}}", one),
    ("PATCH", f"{PATH}/{{}}", change),
    ("DELETE", f"{PATH}/{{}}", delete),
    ("POST", f"{PATH}/{{}}/approve", approve),
    ("POST", f"{PATH}/{{}}/complete", complete),
    ("GET", f"{PATH}/{{}}/responses", responses),
    ("GET", f"{PATH}/{{}}/responses/{{}}", response),
    ("PATCH", f"{PATH}/{{}}/responses/{{}}", answer),
    ("PATCH", f"{PATH}/{{}}/responses/{{}}/owner", give),
)
