"""Files that browsers send: what is too large is cut off while it arrives, so that no upload can fill the disk."""

from io import BytesIO
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile


class AbortOversizedUpload(FileUploadHandler):
    """Stands before the handlers that store. A file beyond `MAX_UPLOAD_BYTES` arrives empty, with its true size for the form.

    From people who are not signed in no file is taken: none of their forms has one (guarantee S20).
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
        self.takes_files = user is None or user.is_authenticated
        if not self.takes_files and content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("Nothing that large is taken from people who are not signed in.")

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
