"""The platform's answers, changed on their way to us."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import requests
from requests.adapters import BaseAdapter

from tests.support.wsgi_adapter import make_response

type Json = dict[str, Any]


class Tampering(BaseAdapter):
    """Sits before the sandbox. Lists are cut into pages of one, so that a small tenant has lists of several pages."""

    def __init__(self, behind: BaseAdapter) -> None:
        super().__init__()
        self._behind = behind
        self.change: Callable[[Any], Any] = lambda answer: answer
        """Is given each decoded answer to a GET; what it returns is sent on, bytes as they are."""
        self.before_page: Callable[[str], None] = lambda cursor: None
        self.refusal: tuple[int, bytes] | None = None
        """Status and body of the answer to every GET, instead of the platform's."""
        self.own_cursors: set[str] = set()
        """Cursors that the platform does not know: they mean its first page."""
        self.asked = 0

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if request.method == "GET" and "pageSize=100" in (request.url or ""):
            request.url = request.url.replace("pageSize=100", urlencode({"pageSize": 1}))
            self.before_page(request.url.partition("pageCursor=")[2])
        if request.method == "GET":
            self.asked += 1
            url, _, cursor = (request.url or "").partition("&pageCursor=")
            request.url = url if cursor in self.own_cursors else request.url
        if request.method == "GET" and self.refusal:
            status, content = self.refusal
            return make_response(request, f"{status} Refused", [("Content-Type", "text/html")], content)
        answer = self._behind.send(request, *args, **options)
        if request.method != "GET" or not answer.ok:
            return answer
        changed = self.change(json.loads(answer.content))
        content = changed if isinstance(changed, bytes) else json.dumps(changed).encode()
        headers = [(name, value) for name, value in answer.headers.items() if name != "Content-Length"]
        return make_response(request, f"{answer.status_code} {answer.reason}", headers, content)

    def close(self) -> None:
        self._behind.close()


def objects_of(answer: Any) -> Iterator[Json]:
    """Walk the objects of an answer: one, a page of a list, or a list without pages."""
    results = answer.get("results", answer)
    found = results.get("data", results) if isinstance(results, dict) else results
    yield from found if isinstance(found, list) else [found]


def on_each(change: Callable[[Json], Any]) -> Callable[[Any], Any]:
    """Change each object of every answer in place."""

    def apply(answer: Any) -> Any:
        for one in objects_of(answer):
            change(one)
        return answer

    return apply
