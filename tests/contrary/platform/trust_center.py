"""One Trust Center: requests, viewers, documents, activity, conversations (specification 4.7, platform-api 4.5)."""

from collections.abc import Callable
from typing import Any

from tests.contrary.platform.questionnaires import found, touch
from tests.contrary.platform.values import read
from tests.contrary.platform.wire import Answer, Refused, Request

type Json = dict[str, Any]
ROOT = "trust-centers/{}"
OPEN, DECIDED = "access-requests", "historical-access-requests"


def of_this_one(handle: Callable[..., Any]) -> Callable[..., Any]:
    """Let in who names the Trust Center of this organisation."""

    def check(platform: Any, request: Request, slug: str, *ids: str) -> Any:
        if slug != platform.world.slug:
            raise Refused(404, "unknown_trust_center")
        return handle(platform, request, *ids)

    return check


def center(platform: Any, request: Request) -> Json:
    return {"id": "tc/1", "title": None, "isPublic": "yes", "creationDate": platform.world.opened_at}


def open_requests(platform: Any, request: Request) -> Answer:
    return platform.page(request, platform.world.all(OPEN).values())


def decided_requests(platform: Any, request: Request) -> Answer:
    return platform.page(request, platform.world.all(DECIDED).values())


def access_request(platform: Any, request: Request, request_id: str) -> Json:
    return found(platform, OPEN, request_id)


def approve(platform: Any, request: Request, request_id: str) -> Answer:
    """Approve. The viewer gets an id of its own; there is nothing in the answer."""
    body = request.json
    row = _decide(platform, request_id, outcome="APPROVED")
    platform.done("approve", request_id, body)
    at = platform.world.now()
    platform.world.add(
        "viewers",
        email=row["email"],
        accessLevel=body.get("accessLevel", row["accessLevel"]),
        resourceIds=body.get("resourceIds"),
        expirationDate=body.get("expirationDate"),
        creationDate=at,
        updatedDate=at,
    )
    return Answer(204)


def deny(platform: Any, request: Request, request_id: str) -> Answer:
    body = request.json
    _decide(platform, request_id, outcome="DENIED", manualDenialReason=body.get("reason"))
    platform.done("deny", request_id, body)
    return Answer(204)


def _decide(platform: Any, request_id: str, **fields: Any) -> Json:
    if request_id in platform.world.all(DECIDED):
        raise Refused(409, "decided_already")
    row = found(platform, OPEN, request_id)
    del platform.world.all(OPEN)[request_id]
    platform.world.all(DECIDED)[request_id] = row
    return touch(platform, row, **fields)


def viewers(platform: Any, request: Request) -> Answer:
    every = platform.world.all("viewers").values()
    if request.asks("includeRemoved") == "false":
        every = [each for each in every if each["id"] not in platform.world.removed_viewers]
    return platform.page(request, every)


def viewer(platform: Any, request: Request, viewer_id: str) -> Json:
    """Who was removed can still be asked for; that it was, only the list tells (platform-api 4.5.3)."""
    return found(platform, "viewers", viewer_id)


def change_viewer(platform: Any, request: Request, viewer_id: str) -> Json:
    row = found(platform, "viewers", viewer_id)
    if until := request.json.get("expirationDate"):
        read(until)
    return touch(platform, row, **request.json)


def remove_viewer(platform: Any, request: Request, viewer_id: str) -> Answer:
    found(platform, "viewers", viewer_id)
    if viewer_id not in platform.world.removed_viewers:
        platform.world.removed_viewers.add(viewer_id)
        platform.done("remove", viewer_id)
    return Answer(204)


def remind(platform: Any, request: Request, viewer_id: str) -> Json:
    found(platform, "viewers", viewer_id)
    platform.done("remind", viewer_id)
    return {"isSuccessful": True}


def change_resource(platform: Any, request: Request, resource_id: str) -> Json:
    return touch(platform, found(platform, "resources", resource_id), **request.json)


def create_faq(platform: Any, request: Request) -> Json:
    asked = request.json
    category = platform.world.all("faq-categories").get(asked.pop("categoryId", None))
    made: Json = platform.world.add("faqs", **asked, category=category and {"id": category["id"], "name": category["name"]})
    platform.done("create", asked["question"], asked)
    return made


def delete_faq(platform: Any, request: Request, faq_id: str) -> Answer:
    found(platform, "faqs", faq_id)
    del platform.world.all("faqs")[faq_id]
    platform.done("delete", faq_id)
    return Answer(204)


def create_update(platform: Any, request: Request) -> Json:
    asked, at = request.json, platform.world.now()
    said = {name: asked[name] for name in ("title", "description", "category", "visibilityType") if name in asked}
    made: Json = platform.world.add("updates", **said, creationDate=at, updatedDate=at, notifiedEmails=None)
    platform.done("create", asked["title"], asked)
    return made


def whole(kind: str) -> Any:
    """Answer with all objects of a kind in one piece."""
    return lambda platform, request: {"results": list(platform.world.all(kind).values())}


def paged(kind: str) -> Any:
    """Answer with the objects of a kind page by page."""
    return lambda platform, request: platform.page(request, list(platform.world.all(kind).values()))


def one_of(kind: str) -> Any:
    return lambda platform, request, object_id: found(platform, kind, object_id)


def frameworks(platform: Any, request: Request) -> Json:
    return {"results": list(platform.world.all("trust-center-frameworks").values()), "isSectionVisible": "yes"}


def activity(platform: Any, request: Request) -> Answer:
    every = list(platform.world.all("activity").values())
    if after := request.asks("afterDate"):
        since = read(after)
        every = [each for each in every if read(each["date"]) >= since]
    return platform.page(request, every)


def conversations(platform: Any, request: Request) -> Answer:
    every = platform.world.all("conversations").values()
    return platform.page(request, [{name: value for name, value in each.items() if name != "messages"} for each in every])


def messages(platform: Any, request: Request, conversation_id: str) -> Json:
    return {"results": found(platform, "conversations", conversation_id).get("messages", [])}


ROUTES = tuple(
    (method, f"{ROOT}{path}", of_this_one(handle))
    for method, path, handle in (
        ("GET", "", center),
        ("GET", "/access-requests", open_requests),
        ("GET", "/historical-access-requests", decided_requests),
        ("GET", "/access-requests/{}", access_request),
        ("POST", "/access-requests/{}/approve", approve),
        ("POST", "/access-requests/{}/deny", deny),
        ("GET", "/viewers", viewers),
        ("GET", "/viewers/{}", viewer),
        ("PATCH", "/viewers/{}", change_viewer),
        ("DELETE", "/viewers/{}", remove_viewer),
        ("POST", "/viewers/{}/send-invite-reminder", remind),
        ("GET", "/resources", whole("resources")),
        ("GET", "/resources/{}", one_of("resources")),
        ("PATCH", "/resources/{}", change_resource),
        ("GET", "/faqs", whole("faqs")),
        ("GET", "/faqs/{}", one_of("faqs")),
        ("POST", "/faqs", create_faq),
        ("DELETE", "/faqs/{}", delete_faq),
        ("GET", "/faq-categories", whole("faq-categories")),
        ("GET", "/controls", paged("trust-center-controls")),
        ("GET", "/controls/{}", one_of("trust-center-controls")),
        ("GET", "/control-categories", whole("control-categories")),
        ("GET", "/subprocessors", whole("subprocessors")),
        ("GET", "/subprocessors/{}", one_of("subprocessors")),
        ("GET", "/compliance-frameworks", frameworks),
        ("GET", "/updates", paged("updates")),
        ("GET", "/updates/{}", one_of("updates")),
        ("POST", "/updates", create_update),
        ("GET", "/subscribers", paged("subscribers")),
        ("GET", "/subscribers/{}", one_of("subscribers")),
        ("GET", "/subscriber-groups", paged("subscriber-groups")),
        ("GET", "/subscriber-groups/{}", one_of("subscriber-groups")),
        ("GET", "/activity", activity),
        ("GET", "/chatbot/conversations", conversations),
        ("GET", "/chatbot/conversations/{}", messages),
    )
)
