"""What one endpoint declares, and what its handler is called with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from portal.sandbox.limits import MANAGEMENT
from portal.sandbox.oauth.grants import Caller
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant


class Area(StrEnum):
    """Which applications may call, where scopes are enforced (platform-api 2.6, 7.1)."""

    MANAGEMENT = "management"


@dataclass(frozen=True, kw_only=True)
class Form:
    """A multipart body: one file, and text parts that become a JSON body before they are checked."""

    schema: Json
    extensions: tuple[str, ...]
    json_parts: tuple[str, ...] = ()
    """Text parts that hold JSON."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One authenticated request whose body fits the schema."""

    sandbox: Sandbox
    caller: Caller
    tenant: Tenant
    ids: Mapping[str, str]
    """What the placeholders of the path stand for."""
    query: MultiDict[str, str]
    body: Json
    file: FileStorage | None
    host_url: str

    @property
    def actor(self) -> Json:
        """The application as the one who changed something, in the shape of a status log entry."""
        application = self.caller.application
        return {"id": application.client_id, "displayName": application.name, "email": None}


type Answer = Json | list[Json] | Response | None
type Handler = Callable[[Call], Answer]


@dataclass(frozen=True, kw_only=True)
class Route:
    method: str
    path: str
    """With `<placeholders>`, without /v1: both forms are served."""
    handler: Handler
    status: int = 200
    body: Json | None = None
    """The schema of a JSON body; None: the endpoint takes none."""
    may_omit_body: bool = False
    form: Form | None = None
    bucket: str = MANAGEMENT
    area: Area = Area.MANAGEMENT
    aliases: tuple[str, ...] = field(default=())
    """Further paths of the same endpoint."""
