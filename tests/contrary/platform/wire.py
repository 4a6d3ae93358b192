"""One exchange with the platform: what came in, and what goes out."""

import email.policy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.parser import BytesParser
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, unquote


@dataclass(frozen=True)
class Request:
    """A request as it arrived. The parts of the path are decoded one by one: an id may hold a slash."""

    host: str
    method: str
    parts: tuple[str, ...]
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    content: bytes = field(repr=False)

    @classmethod
    def of(cls, environ: Mapping[str, Any]) -> "Request":
        path = environ["RAW_URI"].partition("?")[0]
        parts = [unquote(part, errors="strict") for part in path.strip("/").split("/")]
        return cls(
            host=environ["HTTP_HOST"].lower(),
            method=environ["REQUEST_METHOD"],
            parts=tuple(parts[1:] if parts[0] == "v1" else parts),
            query=parse_qs(environ["QUERY_STRING"], keep_blank_values=True),
            headers={
                "authorization": environ.get("HTTP_AUTHORIZATION", ""),
                "content-type": environ.get("CONTENT_TYPE", ""),
            },
            content=environ["wsgi.input"].read(),
        )

    @property
    def is_write(self) -> bool:
        return self.method != "GET"

    @property
    def path(self) -> str:
        return "/" + "/".join(self.parts)

    @property
    def is_of_tokens(self) -> bool:
        return self.parts[0] == "oauth"

    def asks(self, name: str) -> str:
        return self.query.get(name, [""])[-1]

    @property
    def json(self) -> dict[str, Any]:
        """The body. Raises ValueError for one that is no JSON object."""
        decoded = json.loads(self.content)
        if not isinstance(decoded, dict):
            raise ValueError("no object")
        return decoded

    @property
    def form(self) -> dict[str, Any]:
        """The parts of a multipart body: texts, and for the file its name and bytes."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        message = BytesParser(policy=email.policy.HTTP).parsebytes(head + self.content)
        found: dict[str, Any] = {}
        for part in message.iter_parts():
            name = part.get_param("name", header="content-disposition")
            filename, content = part.get_filename(), part.get_payload(decode=True)
            found[str(name)] = (filename, content) if filename is not None else content.decode()
        return found


@dataclass(frozen=True)
class Answer:
    """An answer: `body` becomes JSON unless it is bytes; None stands for no body at all."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def changed(self, **fields: Any) -> "Answer":
        return replace(self, **fields)

    @property
    def is_ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def content(self) -> bytes:
        if self.body is None:
            return b""
        return (
            self.body
            if isinstance(self.body, bytes)
            else json.dumps(self.body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        )

    @property
    def line(self) -> str:
        try:
            return f"{self.status} {HTTPStatus(self.status).phrase}"
        except ValueError:
            return f"{self.status} Other"

    @property
    def header_list(self) -> list[tuple[str, str]]:
        kind = "application/json;charset=UTF-8" if self.body is not None else ""
        given = {"content-type": kind, **{name.lower(): value for name, value in self.headers.items()}}
        return [(name, value) for name, value in given.items() if value]


class Refused(Exception):
    """A request that the platform does not carry out. Where its shape is left open, it is this one."""

    def __init__(self, status: int, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.answer = Answer(status, {"code": code, "detail": detail or code.replace("_", " "), "errors": []})
