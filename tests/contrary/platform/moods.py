"""What a platform may do that nobody likes: refuse, fall silent, answer in HTML, list oddly, send odd objects.

A mood never makes the platform untrue: what it answers in its own JSON is meant. Each says what it leaves undone (`loses`), so
that a test can tell what the portal may believe.
"""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Final

from tests.contrary.platform.wire import Answer, Request

type Proceed = Callable[[], Answer]
type Act = Callable[[Any, Request, Proceed], Answer]

CANARY: Final = "kz-canary-7431"
"""Stands in every page of a proxy: nothing of those may be shown to anybody."""
PAGE: Final = f"<!doctype html><html><head><title>Oops {CANARY}</title></head><body><h1>{CANARY} nginx/1.2</h1></body></html>"
HTML: Final = {"content-type": "text/html"}

REFUSES, LOSES, ODD_LIST, ODD_ITEM, FINE = "refuses", "loses its answer", "lists oddly", "sends odd objects", "is fine"


@dataclass(frozen=True)
class Mood:
    """One way to be difficult. `kind` says what it does to the work: nothing was done, or done and not told, or read oddly."""

    name: str
    kind: str
    act: Act
    of_tokens: bool = False
    """It is about the token endpoint, which the others leave alone."""
    only_writes: bool = False

    def __str__(self) -> str:
        return self.name

    def is_about(self, request: Request) -> bool:
        if request.is_of_tokens != self.of_tokens or request.host.startswith("app."):
            return False
        if self.kind in (ODD_LIST, ODD_ITEM):
            return not request.is_write
        return request.is_write or not self.only_writes

    @property
    def hides(self) -> bool:
        """Whether a look at the platform brings nothing that can be used."""
        return self.kind in (REFUSES, LOSES)


def page(status: int, **headers: str) -> Answer:
    return Answer(status, PAGE.encode(), {**HTML, **headers})


def says(answer: Answer) -> Act:
    """Do nothing, and answer this."""
    return lambda platform, request, proceed: answer


def breaks(error: type[OSError], *, after: bool) -> Act:
    """Break the connection, before or after the work."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        if after:
            proceed()
        raise error("the line is dead")

    return act


def after(change: Callable[[Answer], Answer]) -> Act:
    """Do the work, and answer something else where it worked."""

    def act(platform: Any, request: Request, proceed: Proceed) -> Answer:
        answer = proceed()
        return change(answer) if answer.is_ok else answer

    return act


def in_an_hour() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


def later(platform: Any, request: Request, proceed: Proceed) -> Answer:
    return Answer(503, b"", {"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)})


def busy(platform: Any, request: Request, proceed: Proceed) -> Answer:
    return page(429, **{"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)})


def unzipped(answer: Answer) -> Answer:
    return answer.changed(body=answer.content, headers={"content-encoding": "gzip"})


def half_zipped(answer: Answer) -> Answer:
    whole = gzip.compress(answer.content or b"{}")
    return answer.changed(body=whole[: len(whole) // 2], headers={"content-encoding": "gzip"})


def cut(answer: Answer) -> Answer:
    """Promise more than comes: the line dies in the middle of the body."""
    return answer.changed(headers={"content-length": str(len(answer.content) + 500)})


def every_other(platform: Any, request: Request, proceed: Proceed) -> Answer:
    """Refuse a good token every other time."""
    return page(401) if platform.visits % 2 else proceed()


def one_area(platform: Any, request: Request, proceed: Proceed) -> Answer:
    """Refuse what this grant could do a moment ago, for one kind of object."""
    return problem(403) if "viewers" in request.parts else proceed()


def problem(status: int, **fields: Any) -> Answer:
    detail = "<b>It</b> did not work out. <script>alert(1)</script>"
    body = {"type": "about:blank", "title": "Problem", "status": status, "detail": detail, **fields}
    return Answer(status, body, {"content-type": "application/problem+json"})


def with_errors(status: int, errors: Any) -> Answer:
    return Answer(status, {"code": "E_1", "errors": errors})


_AWAY: Final = {"location": "https://elsewhere.example/v1/", "content-type": "text/plain"}
REFUSING: Final = (
    Mood("404 as a page", REFUSES, says(page(404))),
    Mood("404 in its own JSON that passes", REFUSES, says(Answer(404, {"code": "unknown_object", "detail": "unknown object"}))),
    Mood("404 without a body", REFUSES, says(Answer(404))),
    Mood("410 as a page", REFUSES, says(page(410))),
    Mood("500 as a page", REFUSES, says(page(500))),
    Mood("500 as a problem", REFUSES, says(problem(500))),
    Mood("502 as a page", REFUSES, says(page(502))),
    Mood("503 until a date", REFUSES, later),
    Mood("503 until a date that is past", REFUSES, says(page(503, **{"retry-after": "Fri, 01 Jan 2016 00:00:00 GMT"}))),
    Mood("504 without a body", REFUSES, says(Answer(504))),
    Mood("429 as a page without Retry-After", REFUSES, says(page(429))),
    Mood("429 until a date", REFUSES, busy),
    Mood("429 for ever", REFUSES, says(Answer(429, {"detail": "slow down"}, {"retry-after": "99999999999"}))),
    Mood("429 with words for a time", REFUSES, says(page(429, **{"retry-after": "soon"}))),
    Mood("401 as a page", REFUSES, says(page(401))),
    Mood("403 as a page", REFUSES, says(page(403))),
    Mood("403 as a problem", REFUSES, says(problem(403))),
    Mood("400 with markup", REFUSES, says(with_errors(400, {"body.x": {"message": "<i>This</i> is taken."}}))),
    Mood("422 with a list of errors", REFUSES, says(with_errors(422, ["no", {"field": "x"}]))),
    Mood("418 as text", REFUSES, says(Answer(418, b"I am a teapot", {"content-type": "text/plain"}))),
    Mood("308 to another host", REFUSES, says(Answer(308, b"Go there.", _AWAY))),
    Mood("401 every other time", REFUSES, every_other),
    Mood("403 in one area", REFUSES, one_area),
    Mood("302 to a sign-in page", REFUSES, says(Answer(302, None, _AWAY))),
    Mood("a line that is dead", REFUSES, breaks(ConnectionResetError, after=False)),
    Mood("a time-out before the work", REFUSES, breaks(TimeoutError, after=False)),
)
LOSING: Final = (
    Mood("a line that dies after the work", LOSES, breaks(ConnectionResetError, after=True)),
    Mood("a time-out after the work", LOSES, breaks(TimeoutError, after=True)),
    Mood("500 after the work", LOSES, after(lambda answer: page(500))),
    Mood("502 after the work", LOSES, after(lambda answer: page(502))),
    Mood("504 as a page after the work", LOSES, after(lambda answer: page(504))),
    Mood("200 with a page", LOSES, after(lambda answer: page(200))),
    Mood("200 with half of the JSON", LOSES, after(lambda answer: Answer(200, (answer.content or b'{"a": 1}')[:-3]))),
    Mood("200 with nothing", LOSES, after(lambda answer: Answer(200))),
    Mood("200 with null", LOSES, after(lambda answer: Answer(200, b"null"))),
    Mood("200 with another shape", LOSES, after(lambda answer: Answer(200, [[]]))),
    Mood("200 with an error inside", LOSES, after(lambda answer: Answer(200, {"error": f"<b>{CANARY}</b>", "ok": False}))),
    Mood("200 in another encoding", LOSES, after(lambda answer: Answer(200, '{"é": 1}'.encode("latin-1")))),
    Mood("200 nested too deeply", LOSES, after(lambda answer: Answer(200, b"[" * 100_000))),
    Mood("200 with a number beyond all", LOSES, after(lambda answer: Answer(200, b'{"results": 1e999}'))),
    Mood("200 cut in the middle", LOSES, after(cut)),
    Mood("200 that is not zipped", LOSES, after(unzipped)),
    Mood("200 that is zipped by half", LOSES, after(half_zipped)),
)


def text_of(answer: Answer) -> Any:
    """Return the decoded body of an answer, None where it has none."""
    return json.loads(answer.content) if answer.content and answer.content[:1] in b"[{" else None
