"""The application: hosts, tokens, moods, routes."""

import base64
import copy
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.contrary.platform import customer_trust, questionnaires, trust_center
from tests.contrary.platform.moods import Mood
from tests.contrary.platform.tokens import Tokens
from tests.contrary.platform.wire import Answer, Refused, Request
from tests.contrary.platform.world import World

API, FILES, REGIONAL = "api.contrary.example", "files.contrary.example", "api.eu.contrary.example"
APPS: Final = {"eu": "app.eu.contrary.example", "us": "app.contrary.example", "au": "app.aus.contrary.example"}
HOSTS: Final = (API, FILES, REGIONAL, *APPS.values())
ISSUER: Final = "https://login.contrary.example/realms/everyone"
HTML: Final = {"content-type": "text/html; charset=iso-8859-1"}
ROUTES: Final = (*questionnaires.ROUTES, *customer_trust.ROUTES, *trust_center.ROUTES)


@dataclass(frozen=True)
class Done:
    """A write that was carried out."""

    verb: str
    object_id: str
    said: Any = None


class Platform:
    """One platform with one organisation. `moods` are switched on by tests, and hold from the next request on."""

    page_size = 4
    """However many are asked for: the size of pages is left open (specification 8)."""

    def __init__(self, *, client_id: str, client_secret: str) -> None:
        self.world = World()
        self.tokens = Tokens(client_id, client_secret, ISSUER)
        self.moods: list[tuple[Mood, str, bool]] = []
        self.effects: list[Done] = []
        self.log: list[tuple[str, str, int]] = []
        """Method, path and status of every request."""
        self.visits = 0
        self.faults: list[str] = []
        """What went wrong in here, which is the tests' own fault."""

    def __call__(self, environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        request = Request.of(environ)
        self.visits += 1
        status = 0
        try:
            answer = self._moody(request, list(self.moods))
            status = answer.status
        except OSError:
            raise  # a mood: the line is dead
        except Exception:
            self.faults.append(traceback.format_exc())
            raise
        finally:
            self.log.append((request.method, request.path, status))
        content = answer.content
        start_response(answer.line, list({"content-length": str(len(content)), **dict(answer.header_list)}.items()))
        return [content]

    def feel(self, mood: Mood, *, path: str = "", only_writes: bool = False) -> None:
        """Be in a mood where the path holds a text, until `calm`."""
        self.moods.append((mood, path, only_writes))

    def calm(self) -> None:
        self.moods.clear()

    def keep(self) -> Any:
        """Remember how everything stands, for `restore`."""
        return copy.deepcopy((self.world, self.tokens, self.effects))

    def restore(self, kept: Any) -> None:
        self.world, self.tokens, self.effects = kept
        self.calm()

    def done(self, verb: str, object_id: str, said: Any = None) -> None:
        self.effects.append(Done(verb, object_id, said))

    def _moody(self, request: Request, moods: list[tuple[Mood, str, bool]]) -> Answer:
        if not moods:
            return self._plain(request)
        (mood, path, only_writes), *others = moods
        if not mood.is_about(request) or path not in request.path or (only_writes and not request.is_write):
            return self._moody(request, others)
        return mood.act(self, request, lambda: self._moody(request, others))

    def _plain(self, request: Request) -> Answer:
        if request.host == REGIONAL:
            return Answer(308, b"Use the other host.", {"content-type": "text/plain", "location": f"https://{API}/"})
        if request.host in APPS.values():
            return self._browser(request)
        if request.host == FILES:
            return Answer(200, b"PK\x03\x04 the file", {"content-type": "application/octet-stream"})
        try:
            return self._api(request)
        except Refused as refused:
            return refused.answer

    def _browser(self, request: Request) -> Answer:
        if request.host != APPS["eu"] or request.parts != ("oauth", "authorize"):
            return Answer(404, b"<html><h1>No such organisation here</h1></html>", HTML)
        return self.tokens.consent(request)

    def _api(self, request: Request) -> Answer:
        match request.method, request.parts:
            case "POST", ("oauth", "token"):
                return self.tokens.issue(request)
            case "POST", ("oauth", "token", "suspend"):
                return self.tokens.suspend(request)
        if not self.tokens.admits(request):
            return Answer(401, b"<html>unauthorized</html>", HTML | {"www-authenticate": "Bearer"})
        for method, pattern, handle in ROUTES:
            if method == request.method and (ids := matched(pattern, request.parts)) is not None:
                return to_answer(handle(self, request, *ids))
        return Answer(404, f"<html><body>Cannot {request.method} this</body></html>".encode(), HTML)

    def page(self, request: Request, objects: Iterable[Mapping[str, Any]]) -> Answer:
        """Answer a page: smaller than asked for, with a cursor that is nothing but opaque, and none on the last."""
        every = list(objects)
        start = 0
        if cursor := request.asks("pageCursor"):
            try:
                start = int(base64.b85decode(cursor.encode()).decode().partition("/")[2])
            except ValueError:
                raise Refused(400, "bad_cursor") from None
        data = every[start : start + self.page_size]
        info: dict[str, Any] = {"hasNextPage": start + self.page_size < len(every)}
        if info["hasNextPage"]:
            info |= {"endCursor": base64.b85encode(f"kü?&=/{start + self.page_size}".encode()).decode(), "startCursor": None}
        return Answer(200, {"results": {"pageInfo": info, "data": data, "facets": {}}, "took": 3})


def matched(pattern: str, parts: tuple[str, ...]) -> list[str] | None:
    """Return what stands in the place holders, None when the path is another one."""
    wanted = pattern.split("/")
    if len(wanted) != len(parts):
        return None
    if any(part != given for part, given in zip(wanted, parts, strict=True) if part != "{}"):
        return None
    return [given for part, given in zip(wanted, parts, strict=True) if part == "{}"]


def to_answer(result: Any) -> Answer:
    return result if isinstance(result, Answer) else Answer(200, result)
