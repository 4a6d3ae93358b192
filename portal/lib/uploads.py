"""Files that browsers send: what is too large is cut off while it arrives, so that no upload can fill the disk."""

from io import BytesIO
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class AbortOversizedUpload(FileUploadHandler):
    """Stands before the handlers that store. A file beyond `LARGEST_UPLOAD` arrives empty, with its true size for the form."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        return raw_data if start + len(raw_data) <= settings.LARGEST_UPLOAD else None

    def file_complete(self, file_size: int) -> "UploadedFile[Any] | None":
        if file_size <= settings.LARGEST_UPLOAD:
            return None
        nothing: IO[Any] = BytesIO()
        return UploadedFile(nothing, self.file_name, self.content_type, file_size, self.charset, self.content_type_extra)
