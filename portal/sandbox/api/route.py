"""What one endpoint declares, and what its handler is called with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from portal.sandbox.kinds import BY_PLACEHOLDER
from portal.sandbox.limits import MANAGEMENT
from portal.sandbox.oauth.grants import Caller
from portal.sandbox.objects import Clause
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.schemas import MEDIA
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant
from portal.sandbox.values import moment

READ, WRITE = "svc-api.all:read", "svc-api.all:write"

type Query = MultiDict[str, str]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a query: its schema, and the condition on objects that it stands for, if any."""

    name: str
    schema: Json
    read: Callable[[Query], Clause | None] = lambda query: None


@dataclass(frozen=True, kw_only=True)
class Form:
    """A multipart body: text parts that become a JSON body before they are checked, and one file unless `file` is empty."""

    schema: Json
    extensions: tuple[str, ...] = ()
    """How the name of the file may end; empty: as it likes."""
    json_parts: tuple[str, ...] = ()
    """Text parts that hold JSON."""
    file: str = "file"
    """The name of the part with the file."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One authenticated request whose body fits the schema and whose path names what exists."""

    sandbox: Sandbox
    caller: Caller
    tenant: Tenant
    ids: Mapping[str, str]
    """What the placeholders of the path stand for."""
    found: Mapping[str, Json]
    """The objects that placeholders name."""
    query: Query
    body: Json
    file: FileStorage | None
    host_url: str

    @property
    def object(self) -> Json:
        """The object that the last placeholder names."""
        return [*self.found.values()][-1]

    @cached_property
    def now(self) -> str:
        """The moment of this request: whatever it does happens at once."""
        return moment(self.sandbox.clock.now())

    @property
    def actor(self) -> Json:
        """The application as the one who changed something, in the shape of a status log entry."""
        application = self.caller.application
        return {"id": application.client_id, "displayName": application.name, "email": None}


type Answer = Json | list[Json] | Response | None
type Handler = Callable[[Call], Answer]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A handler that knows what it answers and which parameters it reads."""

    run: Handler
    answer: Json | None
    parameters: Sequence[Parameter] = ()

    def __call__(self, call: Call) -> Answer:
        return self.run(call)


@dataclass(frozen=True)
class Route:
    """One endpoint. Everything that the path names is looked up before its handler runs."""

    method: str
    path: str
    """With `<placeholders>`, without /v1: both forms are served."""
    handler: Handler
    status: int = field(default=200, kw_only=True)
    answer: Json | None = field(default=None, kw_only=True)
    """The schema of the answer, where the handler does not tell it."""
    body: Json | None = field(default=None, kw_only=True)
    """The schema of a JSON body; None: the endpoint takes none."""
    may_omit_body: bool = field(default=False, kw_only=True)
    form: Form | None = field(default=None, kw_only=True)
    refusals: tuple[int, ...] = field(default=(), kw_only=True)
    """Statuses that only this endpoint refuses with, such as 409."""
    bucket: str = field(default=MANAGEMENT, kw_only=True)
    scopes: tuple[str, ...] = field(default=(), kw_only=True)
    """Scopes that suffice besides those for everything of its kind (platform-api 2.6)."""
    is_for_auditors: bool = field(default=False, kw_only=True)
    is_deprecated: bool = field(default=False, kw_only=True)
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    """Further paths of the same endpoint."""

    @cached_property
    def answers(self) -> Json | None:
        return self.answer if self.answer is not None else getattr(self.handler, "answer", None)

    @property
    def gives_media(self) -> bool:
        return self.answers is MEDIA

    @property
    def parameters(self) -> Sequence[Parameter]:
        found: Sequence[Parameter] = getattr(self.handler, "parameters", ())
        return found

    @property
    def placeholders(self) -> list[str]:
        return [part[1:-1] for part in self.path.split("/") if part.startswith("<")]

    @property
    def looks_up(self) -> bool:
        """Say whether its path names something that may not exist."""
        return any(name == SLUG or name in BY_PLACEHOLDER for name in self.placeholders)

    @property
    def sufficient_scopes(self) -> set[str]:
        """Any of these scopes opens the endpoint where scopes are enforced."""
        if self.is_for_auditors:
            return {*self.scopes, "auditor-api.audit:write", *(["auditor-api.audit:read"] if self.method == "GET" else [])}
        return {*self.scopes, WRITE, *([READ] if self.method == "GET" else [])}


SLUG = "slug_id"
"""The placeholder of the Trust Center, which is found by its tenant."""
