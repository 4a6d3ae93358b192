"""One call to be made: where it goes, and what it carries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO
from urllib.parse import quote

from portal.platform_api.http import TIMEOUT, UPLOAD_TIMEOUT
from portal.platform_api.identifiers import check_identifier
from portal.platform_api.multipart import MultipartBody


@dataclass(frozen=True)
class Upload:
    """The file part of a multipart body."""

    filename: str = field(repr=False)
    file: BinaryIO = field(repr=False)
    content_type: str = "application/octet-stream"
    part: str = "file"


@dataclass(frozen=True)
class Download:
    """A file on its way: its type as the platform says it, and its bytes as they arrive."""

    content_type: str
    chunks: Iterator[bytes] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call to be made: where it goes, and what it carries."""

    area: str
    endpoint: str
    method: str
    template: str
    bucket: str
    integration_bucket: str
    """Where the call counts when an integration makes it."""
    is_idempotent: bool
    ids: Mapping[str, str] = field(default_factory=dict, repr=False)
    params: Mapping[str, Any] | None = field(default=None, repr=False)
    json: Any = field(default=None, repr=False)
    form: Mapping[str, str] | None = field(default=None, repr=False)
    upload: Upload | None = None

    @property
    def timeout(self) -> tuple[float, float]:
        return UPLOAD_TIMEOUT if self.upload else TIMEOUT

    def path(self, template: str = "") -> str:
        """Fill the ids in, into another template if one is given. Raises InvalidIdentifier."""
        return (template or self.template).format(
            **{name: quote(check_identifier(value), safe="") for name, value in self.ids.items()}
        )

    def with_params(self, params: Mapping[str, Any]) -> "Request":
        return replace(self, params=params)

    def carried(self) -> dict[str, Any]:
        """What goes into the HTTP request besides the token."""
        headers = {"Accept": "application/json"}
        carried: dict[str, Any] = {"params": self.params, "json": self.json, "data": self.form, "headers": headers}
        if self.upload:
            # Made anew for every attempt: after a 401 the position is at the end, and an empty file would be sent.
            body = MultipartBody(
                self.form or {},
                part=self.upload.part,
                filename=self.upload.filename,
                file=self.upload.file,
                content_type=self.upload.content_type,
            )
            carried["data"], headers["Content-Type"] = body, body.content_type
        return carried
