"""What a page is sent that names an object: found in its address, in the forms of pages, and by watching what views read."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import resolve

from tests.contrary.page_content import Form, filled, read
from tests.house.addresses import Address
from tests.support.one_of_each import as_uuid

OWN, FOREIGN = 66000000, 77000000
"""The keys of everything of one tenant, and of everything of another one."""
WORDS = {"kind": "access_request", "desk": "questionnaires", "action": "assign", "channel": "slack", "term": "breach-notice"}
"""What parts of addresses mean that name no object."""
TYPED = {"date": "2031-02-03", "email": "x@y.example", "number": "3", "url": "https://y.example/", "time": "09:00"}
NOT_ASKED = {"csrfmiddlewaretoken"}
PLACE = re.compile(r"<(?:(\w+):)?(\w+)>")
MAX_CHOICES = 6
"""Of one field: what can be done to many is no more, and a list of countries is tried with its first ones."""


@dataclass(frozen=True)
class Sent:
    """One request: what is sent of one's own, and which part of it names an object of somebody else."""

    method: str
    path: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def ask(self, client: Client) -> HttpResponse:
        if self.method == "get":
            return client.get(self.path, self.data)
        # What is read from the query of a form's address is there too.
        query = urlencode(self.data, doseq=True)
        return client.post(f"{self.path}?{query}", self.data)

    def with_field(self, name: str, value: str) -> "Sent":
        return Sent(self.method, self.path, {**self.data, name: value})


def path_of(address: Address, foreign: str = "") -> str:
    """Return an address of one's own, with the key of somebody else at one place."""

    def part(match: re.Match[str]) -> str:
        kind, name = match[1], match[2]
        if name == "slug":
            return "acme"
        at = FOREIGN if name == foreign else OWN
        return WORDS.get(name) or (str(as_uuid(at)) if kind == "uuid" else "x" if kind == "slug" else str(at))

    return "/" + PLACE.sub(part, address.pattern)


def places_of(address: Address) -> list[str]:
    """Return the names of the parts that name an object."""
    return [name for kind, name in PLACE.findall(address.pattern) if name not in WORDS and kind != "slug"]


def forms_on(pages: list[Address], client: Client) -> Iterator[Sent]:
    """Fill in each form of some pages once, with each of its choices."""
    seen = set()
    for address in pages:
        path = path_of(address)
        answer = client.get(path)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        for form in read(answer.content).forms.values():
            target = (form.action or path).partition("?")[0]
            shape = (resolve(target).route, form.method, *sorted({*form.fields, *form.choices}))
            if target.startswith("/accounts/") or shape in seen:
                continue
            seen.add(shape)
            yield from (Sent(form.method, target, data) for data in _ways_to_fill(form))


def _ways_to_fill(form: Form) -> Iterator[dict[str, Any]]:
    typed = {name: TYPED.get(kind, "1") for name, kind in form.types.items() if kind != "hidden" and form.fields[name] == [""]}
    first = {name: next((each for each in values if each), "") for name, values in form.choices.items()}
    data = {name: value for name, value in (first | filled(form) | typed).items() if name not in NOT_ASKED}
    yield data
    for name, values in form.choices.items():
        yield from (data | {name: value} for value in values[:MAX_CHOICES] if value != data.get(name))


@contextmanager
def names_read() -> Iterator[set[str]]:
    """Collect the names of all fields that a view asks its request for."""
    names: set[str] = set()

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def note(self: QueryDict, name: str, *arguments: Any) -> Any:
            names.add(name)
            return method(self, name, *arguments)

        return note

    with (
        patch.object(QueryDict, "__getitem__", noting(QueryDict.__getitem__), create=True),
        patch.object(QueryDict, "__contains__", noting(QueryDict.__contains__), create=True),
        patch.object(QueryDict, "getlist", noting(QueryDict.getlist), create=True),
    ):
        yield names
    names -= NOT_ASKED


def foreign_values(sent: Sent, name: str) -> set[Any]:
    """Return what a field can say to name an object of somebody else: its key, or what one would send with that key in it."""
    own = sent.data.get(name)
    if not isinstance(own, str):
        return {str(FOREIGN)}
    return {str(FOREIGN), own.replace(str(as_uuid(OWN)), str(as_uuid(FOREIGN))).replace(str(OWN), str(FOREIGN))} - {own}
