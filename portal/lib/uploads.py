"""Files that browsers send: what is too large is cut off while it arrives, so that no upload can fill the disk."""

from collections.abc import Callable
from io import BytesIO
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

_link_pages: dict[str, Callable[..., bool]] = {}


def take_files_by_link(url_name: str, is_open: Callable[..., bool]) -> None:
    """Take small files at a page that only a link protects. From `AppConfig.ready`.

    `is_open` gets what stands in the address, and says whether that link may send one now. It is asked before anything of the
    body is read. Such a body stays in memory: it is no larger than `DATA_UPLOAD_MAX_MEMORY_SIZE`.
    """
    _link_pages[url_name] = is_open


class AbortOversizedUpload(FileUploadHandler):
    """Stands before the handlers that store. A file beyond `MAX_UPLOAD_BYTES` arrives empty, with its true size for the form.

    From people who are not signed in no file is taken, but for the pages of `take_files_by_link` (guarantee S20).
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        user = getattr(self.request, "user", None)
        is_stranger = user is not None and not user.is_authenticated
        if is_stranger and content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("Nothing that large is taken from people who are not signed in.")
        self.takes_files = not is_stranger or _has_open_link(self.request)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if not self.takes_files:
            raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        return raw_data if start + len(raw_data) <= settings.MAX_UPLOAD_BYTES else None

    def file_complete(self, file_size: int) -> "UploadedFile[Any] | None":
        if file_size <= settings.MAX_UPLOAD_BYTES:
            return None
        nothing: IO[Any] = BytesIO()
        return UploadedFile(nothing, self.file_name, self.content_type, file_size, self.charset, self.content_type_extra)


def _has_open_link(request: HttpRequest | None) -> bool:
    match = request.resolver_match if request else None
    is_open = _link_pages.get(match.view_name) if match else None
    return is_open is not None and match is not None and is_open(**match.kwargs)
