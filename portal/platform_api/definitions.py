"""What is declared: areas with their endpoints, and how one endpoint makes its request and reads its answer."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from mimetypes import guess_type
from string import Formatter
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, get_args, get_origin, get_type_hints

from portal.platform_api.buckets import INTEGRATION, MANAGEMENT
from portal.platform_api.errors import UnexpectedAnswer
from portal.platform_api.paging import read_item, read_list
from portal.platform_api.request import Request, Upload
from portal.platform_api.transport import Transport
from portal.platform_api.wire import spell_body, spell_form, spell_query

SEED: Final = "specification"
EXTENDED: Final = "public reference"
"""Where an endpoint is known from: the specification itself, or what the platform says beyond it."""


class Area:
    """Calls that belong together. An annotation with another area makes that one a part of it."""

    name: ClassVar[str] = ""
    """As calling code writes it: `questionnaires.responses`."""
    root: ClassVar[str] = ""
    """The beginning of every path of the area."""
    scope: ClassVar[str] = "svc-api.all"

    def __init__(self, transport: Transport, **ids: str) -> None:
        self.transport = transport
        self.ids = ids
        for attribute, part in parts_of(type(self)).items():
            setattr(self, attribute, part(transport, **ids))


def parts_of(owner: type) -> dict[str, type[Area]]:
    """Return the areas that a class is annotated with."""
    hints = get_type_hints(owner)
    return {name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, Area)}


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One endpoint of the platform, as its declaration says."""

    function: Callable[..., Any]
    method: str
    path: str
    """Without the root of its area."""
    origin: str = EXTENDED
    bucket: str = MANAGEMENT
    is_for_integrations: bool = False
    """The scopes of an integration open it as well, and with its token the call counts in a bucket of its own."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters whose name on the wire is not simply their own in camelCase."""
    is_form: bool = False
    """The body is multipart, or url-encoded where there is no file."""
    file_part: str = "file"
    is_bare: bool = False
    """The answer is a list without an envelope."""
    is_deprecated: bool = False
    is_paged: bool = False
    is_idempotent: bool | None = None
    """Whether doing it twice is doing it once. Not said: all but a POST, none of which takes a key (platform-api 1.1)."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def may_repeat(self) -> bool:
        return self.method != "POST" if self.is_idempotent is None else self.is_idempotent

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def result(self) -> Any:
        """The type of the answer, or of each element of a list."""
        hint = get_type_hints(self.function)["return"]
        return get_args(hint)[0] if self.is_paged or get_origin(hint) in {list, AbstractContextManager} else hint

    @cached_property
    def is_list(self) -> bool:
        return get_origin(get_type_hints(self.function)["return"]) is list

    def request(self, area: Area, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Request:
        """Make the request of one call. Raises TypeError for arguments that do not fit the declaration."""
        values = dict(self.signature.bind(area, *args, **kwargs).arguments)
        del values["self"]
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                values |= values.pop(name, {})
        template = area.root + self.path
        named = [name for _, name, _, _ in Formatter().parse(template) if name]
        ids = area.ids | {name: values.pop(name) for name in named if name in values}
        return Request(
            area=area.name,
            endpoint=self.name,
            method=self.method,
            template=template,
            bucket=self.bucket,
            integration_bucket=INTEGRATION if self.is_for_integrations else self.bucket,
            is_idempotent=self.may_repeat,
            ids=ids,
            **self.carried(
                {self.names.get(name, name): value for name, value in values.items()},
                takes_body=bool(self.signature.parameters.keys() - {"self", *named}),
            ),
        )

    def carried(self, values: dict[str, Any], *, takes_body: bool) -> dict[str, Any]:
        """Put values where the platform wants them; an endpoint that takes a body gets one, be it empty."""
        if self.method == "GET":
            return {"params": spell_query(values)}
        if not self.is_form:
            return {"json": spell_body(values)} if takes_body else {}
        upload = None
        if "file" in values:
            filename = values.pop("filename")
            kind = guess_type(filename)[0] or "application/octet-stream"
            upload = Upload(filename, values.pop("file"), kind, part=self.file_part)
        return {"form": spell_form(values), "upload": upload}

    def read(self, decoded: Any, area: Area) -> Any:
        """Read the answer as the annotation of the result says. Raises UnexpectedAnswer."""
        template = area.root + self.path
        if self.is_list:
            return read_list(decoded, self.result, self.method, template, is_bare=self.is_bare)
        model = self.result
        if isinstance(model, UnionType):
            model = next(option for option in get_args(model) if option is not NoneType)
            if decoded is None:
                return None
        if model is NoneType or model is None:
            return None
        if not isinstance(decoded, Mapping):
            raise UnexpectedAnswer(self.method, template, message="the answer is not an object")
        return read_item(decoded, model, self.method, template)


def declared_in(owner: type[Area]) -> list[Endpoint]:
    """Return the endpoints of an area in the order of their declaration, those of its parts left out."""
    members = (member for base in reversed(owner.__mro__) for member in vars(base).values())
    return [found for member in members if isinstance(found := getattr(member, "endpoint", None), Endpoint)]


def every_area(owner: type) -> Iterator[type[Area]]:
    """Walk the areas that a class is made of, each with its parts behind it."""
    for part in parts_of(owner).values():
        yield part
        yield from every_area(part)
