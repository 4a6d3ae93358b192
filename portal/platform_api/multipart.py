"""A form with a file as it goes over the wire, read while it is sent: a large file is never in memory as a whole."""

import os
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import BinaryIO, Final

from urllib3.fields import RequestField
from urllib3.filepost import choose_boundary

PIECE: Final = 64 * 1024


class MultipartBody:
    """The body of a `multipart/form-data` request. Its length is known before anything is read, and it is read once."""

    def __init__(self, fields: Mapping[str, str], *, part: str, filename: str, file: BinaryIO, content_type: str) -> None:
        boundary = choose_boundary()
        self.content_type = f"multipart/form-data; boundary={boundary}"
        head = b"".join(_opening(boundary, name) + value.encode() + b"\r\n" for name, value in fields.items())
        head += _opening(boundary, part, filename=filename, content_type=content_type)
        tail = f"\r\n--{boundary}--\r\n".encode()
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self._length = len(head) + size + len(tail)
        self._parts: list[BinaryIO] = [BytesIO(head), file, BytesIO(tail)]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.read(PIECE):
            yield piece

    def read(self, size: int = -1) -> bytes:
        """Read so much of what is left, or all of it."""
        if size < 0:
            return b"".join(self)
        pieces, missing = [], size
        while missing and self._parts:
            piece = self._parts[0].read(missing)
            if not piece:
                self._parts.pop(0)
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)


def _opening(boundary: str, name: str, *, filename: str | None = None, content_type: str | None = None) -> bytes:
    """Write the line of a part and its headers; what could end a header is escaped."""
    field = RequestField(name=name, data=b"", filename=filename)
    field.make_multipart(content_type=content_type)
    return f"--{boundary}\r\n{field.render_headers()}".encode()
