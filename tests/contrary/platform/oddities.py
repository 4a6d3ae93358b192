"""Moods of lists and of the objects in them. The platform is well, and what it says is read all the same."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.contrary.platform.moods import (
    FINE,
    LOSES,
    LOSING,
    ODD_ITEM,
    ODD_LIST,
    REFUSES,
    REFUSING,
    Act,
    Mood,
    Proceed,
    page,
    says,
)
from tests.contrary.platform.wire import Answer, Request

type Json = dict[str, Any]


def on_list(change: Callable[[Any, Request, Json], Any]) -> Act:
    """Change the decoded envelope of every paged list."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        if not (answer.is_ok and isinstance(answer.body, dict) and "pageInfo" in _results(answer.body)):
            return answer
        return answer.changed(body=change(platform, request, json.loads(answer.content)))

    return act


def _results(body: Json) -> Json:
    results = body.get("results")
    return results if isinstance(results, dict) else {}


def with_info(**info: Any) -> Act:
    def change(platform: Any, request: Request, body: Json) -> Json:
        body["results"]["pageInfo"] = info
        return body

    return on_list(change)


def circle(platform: Any, request: Request, body: Json) -> Json:
    """Name a cursor A, then B, then A again; the objects are always those of the first page."""
    body["results"]["pageInfo"] = {"hasNextPage": True, "endCursor": "B" if request.asks("pageCursor") == "A" else "A"}
    return body


def endless(platform: Any, request: Request, body: Json) -> Json:
    body["results"]["pageInfo"] = {"hasNextPage": True, "endCursor": f"never-seen-{platform.visits}"}
    return body


def without_cursor(request: Request) -> Request:
    """The same request for the first page."""
    query = {name: values for name, values in request.query.items() if name != "pageCursor"}
    return Request(request.host, request.method, request.parts, query, request.headers, request.content)


def on_first_page(change: Callable[[Any, Request, Json], Json]) -> Act:
    """Answer every page with the objects of the first one."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        return on_list(lambda *_: change(platform, request, _[2]))(
            platform, request, lambda: platform._plain(without_cursor(request))
        )

    return act


def behind(platform: Any, request: Request, body: Json) -> Json:
    """Name every object as it was called yesterday: one that is asked for by itself has its new name already."""
    for one in body["results"]["data"]:
        one |= {name: f"{one[name]} of old" for name in ("name", "displayName") if one.get(name)}
    return body


def one_by_one(platform: Any, request: Request, proceed: Proceed) -> Answer:
    platform.page_size = 1
    try:
        return proceed()
    finally:
        platform.page_size = type(platform).page_size


def growing(platform: Any, request: Request, proceed: Proceed) -> Answer:
    """Before each page but the first something new stands at the head of the list, so that all others move on."""
    if request.asks("pageCursor"):
        for kind in ("questionnaires", "accounts", "contracts"):
            if request.parts[-1] == kind and len(platform.world.all(kind)) < 12:
                every = list(platform.world.all(kind).items())
                new = {
                    **every[0][1],
                    "id": f"new/{platform.visits}",
                    "externalId": None,
                    "emailDomain": f"n{platform.visits}.example",
                }
                platform.world.kinds[kind] = {new["id"]: new, **dict(every)}
    return proceed()


def as_text(platform: Any, request: Request, proceed: Proceed) -> Answer:
    return proceed().changed(headers={"content-type": "text/plain"})


def twice(platform: Any, request: Request, body: Json) -> Json:
    body["results"]["data"] = [each for each in body["results"]["data"] for _ in range(2)]
    return body


def empty(platform: Any, request: Request, body: Json) -> Json:
    body["results"] = {"data": [], "pageInfo": {"hasNextPage": False}}
    return body


def on_third(change: Callable[[Json], Any]) -> Act:
    """Change one object of every list, also when it is asked for by itself."""
    chosen: dict[str, str] = {}

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        if not answer.is_ok or not isinstance(answer.body, dict):
            return answer
        body = json.loads(answer.content)
        items = _items(body)
        if items is not None:
            place = next((number for number, each in enumerate(items) if each["id"] in chosen.values()), None)
            if place is None and len(items) > 1 and request.path not in chosen:
                place = 1
            if place is not None:
                chosen[request.path] = items[place]["id"]
                items[place] = change(items[place])
        elif body.get("id") in chosen.values():
            body = change(body)
        return answer.changed(body=body)

    return act


def _items(body: Json) -> list[Json] | None:
    results = body.get("results")
    found = results.get("data") if isinstance(results, dict) else results
    return found if isinstance(found, list) and found and isinstance(found[0], dict) and "id" in found[0] else None


def on_each(change: Callable[[Json], Json]) -> Act:
    """Change every object of every answer."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        if not answer.is_ok or not isinstance(answer.body, dict):
            return answer
        body = json.loads(answer.content)
        items = _items(body)
        if items is None:
            return answer.changed(body=change(body)) if "id" in body else answer
        items[:] = [change(each) for each in items]
        return answer.changed(body=body)

    return act


def only_id(one: Json) -> Json:
    return {"id": one["id"]}


NEEDED: Final = (
    *("id", "name", "displayName", "question", "status", "email", "title", "accessLevel", "emailDomain", "outcome", "type"),
    *(
        "creationDate",
        "createdDate",
        "updatedDate",
        "date",
        "answerPartsSchema",
        "answerPartsValues",
        "category",
        "firstMessage",
    ),
    *(
        "requestedAt",
        "format",
        "externalId",
        "reason",
        "companyName",
        "customerTrustAccountId",
        "ndaInfo",
        "details",
        "message",
    ),
)
"""What the portal shows: left out or null it would be another story than an unset option."""


def nulls(one: Json) -> Json:
    return {name: value if name in NEEDED else None for name, value in one.items()}


def bare(one: Json) -> Json:
    return {name: value for name, value in one.items() if name in NEEDED}


def texts(one: Json) -> Json:
    """Spell numbers and truths as texts."""
    return {name: json.dumps(value) if isinstance(value, bool | int | float) else value for name, value in one.items()}


def unheard(one: Json) -> Json:
    changed = {
        name: "NEVER_HEARD_OF"
        for name in ("status", "accessLevel", "outcome", "type", "originType", "eventType")
        if name in one
    }
    return {**one, **changed}


def blank(one: Json) -> Json:
    return {**one, **{name: "" for name in ("status", "accessLevel", "type", "originType", "eventType") if name in one}}


def fuller(one: Json) -> Json:
    more = {f"x{number}": {"deep": [{"er": number}]} for number in range(30)}
    return {**more, **one, "Id": "another", "payload": {"type": "v1.x"}, "gone_at": "now", "tenant_id": 1}


def walk(value: Any) -> Iterator[Any]:
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def long_names(one: Json) -> Json:
    return {name: "ü name " * 150_000 if name in ("name", "displayName") else value for name, value in one.items()}


def with_nul(one: Json) -> Json:
    return {
        name: f"{value}\x00\ud800\u202e" if name in ("name", "displayName", "question", "title") else value
        for name, value in one.items()
    }


def no_dates(one: Json) -> Json:
    return {
        name: "the day before yesterday" if name.endswith(("Date", "At")) and value else value for name, value in one.items()
    }


LISTING: Final = (
    Mood("a list that goes on without a cursor", ODD_LIST, with_info(hasNextPage=True)),
    Mood("a list that goes on at null", ODD_LIST, with_info(hasNextPage=True, endCursor=None)),
    Mood("a list that goes on at a number", ODD_LIST, with_info(hasNextPage=True, endCursor=17)),
    Mood("cursors in a circle", ODD_LIST, on_first_page(circle)),
    Mood("cursors without an end", ODD_LIST, on_first_page(endless)),
    Mood("lists that are empty", ODD_LIST, on_list(empty)),
    Mood("lists without their envelope", ODD_LIST, on_list(lambda _, __, body: body["results"]["data"])),
    Mood("lists in another envelope", ODD_LIST, on_list(lambda _, __, body: {"items": body["results"]["data"], "next": None})),
    Mood("pages of one", FINE, one_by_one),
    Mood("lists that grow while they are read", FINE, growing),
    Mood("objects that come twice", FINE, on_list(twice)),
    Mood("lists that are behind", FINE, on_list(behind)),
    Mood("lists that say they are text", FINE, as_text),
)
ITEMS: Final = (
    Mood("one object with nothing but its id", ODD_ITEM, on_third(only_id)),
    Mood("one object that is a text", ODD_ITEM, on_third(lambda one: one["id"])),
    Mood("one object that is null", ODD_ITEM, on_third(lambda one: None)),
    Mood("one object with an id that cannot be", ODD_ITEM, on_third(lambda one: {**one, "id": ".."})),
    Mood("one object with a number for an id", ODD_ITEM, on_third(lambda one: {**one, "id": 4711})),
    Mood("one object with an endless id", ODD_ITEM, on_third(lambda one: {**one, "id": "x" * 100_000})),
    Mood("one object of five megabytes", ODD_ITEM, on_third(lambda one: {**one, "blob": "x" * 5_000_000})),
    Mood("one object with a name of a megabyte", ODD_ITEM, on_third(long_names)),
    Mood("objects with nulls", FINE, on_each(nulls)),
    Mood("objects with the least", FINE, on_each(bare)),
    Mood("numbers as texts", ODD_ITEM, on_each(texts)),
    Mood("words that nobody has heard", FINE, on_each(unheard)),
    Mood("words that are empty", FINE, on_each(blank)),
    Mood("fields that nobody knows", FINE, on_each(fuller)),
    Mood("times that are none", ODD_ITEM, on_each(no_dates)),
    Mood("texts with what no page can show", ODD_ITEM, on_each(with_nul)),
)


def life(value: Any) -> Act:
    """Grant tokens whose life is spelled oddly; without a value it is left out."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        if answer.is_ok and isinstance(answer.body, dict):
            body = {name: each for name, each in answer.body.items() if name != "expires_in"}
            return answer.changed(body=body if value is None else {**body, "expires_in": value})
        return answer

    return act


def _with(**fields: Any) -> Act:
    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        return answer.changed(body={**answer.body, **fields}) if answer.is_ok and isinstance(answer.body, dict) else answer

    return act


TOKENS: Final = (
    Mood("tokens: 500 as a page", REFUSES, says(page(500)), of_tokens=True),
    Mood("tokens: 429 as a page", REFUSES, says(page(429)), of_tokens=True),
    Mood("tokens: 400 as a page", REFUSES, says(page(400)), of_tokens=True),
    Mood("tokens: 200 with a page", LOSES, says(page(200)), of_tokens=True),
    Mood("tokens: a life of nothing", FINE, life(0), of_tokens=True),
    Mood("tokens: a life before birth", FINE, life(-1), of_tokens=True),
    Mood("tokens: a life as a text", FINE, life("3600"), of_tokens=True),
    Mood("tokens: a life in parts", FINE, life(3599.99), of_tokens=True),
    Mood("tokens: no life said", FINE, life(None), of_tokens=True),
    Mood("tokens: a life of ages", FINE, life(10**12), of_tokens=True),
    Mood("tokens: of a type in capitals", FINE, _with(token_type="BEARER"), of_tokens=True),
    Mood("tokens: of a type left out", FINE, _with(token_type=None), of_tokens=True),
)
MOODS: Final = (*REFUSING, *LOSING, *LISTING, *ITEMS)
