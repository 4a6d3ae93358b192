"""Accounts, contracts, deletion requests, tag categories, users, the library (specification 4.7, platform-api 4.1.7 - 4.4)."""

from typing import Any

from tests.contrary.platform.questionnaires import found, touch
from tests.contrary.platform.wire import Answer, Refused, Request

type Json = dict[str, Any]
CATEGORIES = "customer-trust/tag-categories"


def accounts(platform: Any, request: Request) -> Answer:
    words = request.asks("searchString").casefold()
    every = platform.world.all("accounts").values()
    return platform.page(request, [each for each in every if words in each.get("name", "").casefold()])


def account(platform: Any, request: Request, account_id: str) -> Json:
    return found(platform, "accounts", account_id)


def create_account(platform: Any, request: Request) -> Json:
    body = request.json
    if any(each["emailDomain"] == body["emailDomain"] for each in platform.world.all("accounts").values()):
        raise Refused(409, "domain_is_taken")
    platform.done("create", body["name"])
    at = platform.world.now()
    return platform.world.add("accounts", createdDate=at, updatedDate=at, **body)


def change_account(platform: Any, request: Request, account_id: str) -> Json:
    row = found(platform, "accounts", account_id)
    return touch(platform, row, **request.json)


def delete_account(platform: Any, request: Request, account_id: str) -> Answer:
    found(platform, "accounts", account_id)
    del platform.world.all("accounts")[account_id]
    platform.done("delete", account_id)
    return Answer(204)


def contracts(platform: Any, request: Request) -> Answer:
    return platform.page(request, platform.world.all("contracts").values())


def contract(platform: Any, request: Request, contract_id: str) -> Json:
    return found(platform, "contracts", contract_id)


def create_contract(platform: Any, request: Request) -> Answer:
    form = request.form
    external_id = form.get("externalId")
    if external_id and any(each.get("externalId") == external_id for each in platform.world.all("contracts").values()):
        raise Refused(409, "external_id_exists")
    filename, content = form["file"]
    if not content.startswith(b"%PDF"):
        raise Refused(415, "only_pdf")
    platform.done("create", external_id or filename)
    fields = {
        "externalId": external_id,
        "customerTrustAccountId": form.get("accountId"),
        "executedDate": form.get("executedDate"),
    }
    return Answer(201, platform.world.add("contracts", name=filename, creationDate=platform.world.now(), **fields))


def delete_contract(platform: Any, request: Request, contract_id: str) -> Answer:
    found(platform, "contracts", contract_id)
    del platform.world.all("contracts")[contract_id]
    platform.done("delete", contract_id)
    return Answer(204)


def erase(platform: Any, request: Request) -> Json:
    """Queue an erasure, once. It is asynchronous: the person is still in the lists for a while."""
    email = request.json["email"]
    if email not in platform.world.queued:
        platform.world.queued.add(email)
        platform.done("erase", email)
    return {"isSuccessful": True, "queuePosition": 17}


def categories(platform: Any, request: Request) -> Json:
    wanted = {each for value in request.query.get("productContextIdsMatchesAny", []) for each in value.split(",")}
    every = platform.world.all("tag-categories").values()
    if wanted:
        every = [each for each in every if platform.world.contexts.get(each["id"], set()) & wanted]
    return {"results": [{name: value for name, value in each.items() if name != "tags"} for each in every]}


def category(platform: Any, request: Request, category_id: str) -> Json:
    row = found(platform, "tag-categories", category_id)
    return {"category": {name: value for name, value in row.items() if name != "tags"}, "tags": row.get("tags", [])}


def enable(platform: Any, request: Request, category_id: str) -> Answer:
    found(platform, "tag-categories", category_id)
    platform.world.contexts.setdefault(category_id, set()).add(request.json["productContextId"])
    platform.done("enable", category_id)
    return Answer(204)


def disable(platform: Any, request: Request, category_id: str, context: str) -> Answer:
    found(platform, "tag-categories", category_id)
    platform.world.contexts.get(category_id, set()).discard(context)
    platform.done("disable", category_id)
    return Answer(204)


def users(platform: Any, request: Request) -> Answer:
    return platform.page(request, platform.world.all("users").values())


def answers(platform: Any, request: Request) -> Answer:
    words = request.asks("q").casefold()
    every = platform.world.all("answer-library").values()
    return platform.page(request, [each for each in every if words in each["question"].casefold()])


def answer(platform: Any, request: Request, answer_id: str) -> Json:
    return found(platform, "answer-library", answer_id)


def controls(platform: Any, request: Request) -> Answer:
    return platform.page(request, list(platform.world.all("controls").values()))


def control(platform: Any, request: Request, control_id: str) -> Json:
    return found(platform, "controls", control_id)


def nothing(platform: Any, request: Request) -> Answer:
    return platform.page(request, [])


def nothing_of_it(platform: Any, request: Request, object_id: str) -> Answer:
    return nothing(platform, request)


def forbidden(platform: Any, request: Request) -> Answer:
    return Answer(403, b"<html><h1>403 Forbidden</h1></html>", {"content-type": "text/html"})


ROUTES = (
    ("GET", "customer-trust/accounts", accounts),
    ("POST", "customer-trust/accounts", create_account),
    ("GET", "customer-trust/accounts/{}", account),
    ("PATCH", "customer-trust/accounts/{}", change_account),
    ("DELETE", "customer-trust/accounts/{}", delete_account),
    ("GET", "contracts", contracts),
    ("POST", "contracts", create_contract),
    ("POST", "customer-trust/contracts", create_contract),
    ("GET", "contracts/{}", contract),
    ("DELETE", "contracts/{}", delete_contract),
    ("POST", "customer-trust/deletion-requests", erase),
    ("GET", CATEGORIES, categories),
    ("GET", f"{CATEGORIES}/{{}}", category),
    ("POST", f"{CATEGORIES}/{{}}/product-contexts", enable),
    ("DELETE", f"{CATEGORIES}/{{}}/product-contexts/{{}}", disable),
    ("GET", "users", users),
    ("GET", "knowledge-base/answer-library", answers),
    ("GET", "knowledge-base/answer-library/{}", answer),
    ("GET", "knowledge-base/resources", forbidden),
    ("GET", "controls", controls),
    ("GET", "controls/deactivated-controls", nothing),
    ("GET", "controls/{}", control),
    ("GET", "controls/{}/documents", nothing_of_it),
    ("GET", "controls/{}/tests", nothing_of_it),
    ("GET", "documents", nothing),
    ("GET", "frameworks", nothing),
    ("GET", "tests", nothing),
    ("GET", "issues", nothing),
    ("GET", "risk-scenarios", nothing),
    ("GET", "groups", nothing),
    ("GET", "groups/importable-idp-groups", nothing),
    ("GET", "people", nothing),
    ("GET", "vendors", nothing),
    ("GET", "event-logs", nothing),
)
"""Of most it has nothing; an address that does not stand here is unknown to it."""
