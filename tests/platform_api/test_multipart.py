"""A form with a file over the wire: as everybody writes it, and never in memory as a whole."""

import io
import tracemalloc

import pytest
from werkzeug.formparser import parse_form_data

from portal.platform_api.multipart import MultipartBody


def read_back(body: MultipartBody, content: bytes) -> tuple[dict, str, bytes]:
    environ = {
        "REQUEST_METHOD": "POST",
        "CONTENT_TYPE": body.content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(content),
    }
    _, fields, files = parse_form_data(environ)
    return dict(fields), files["file"].filename, files["file"].read()


def body_of(content: bytes, *, filename: str = "a.pdf", **fields: str) -> MultipartBody:
    return MultipartBody(fields, part="file", filename=filename, file=io.BytesIO(content), content_type="application/pdf")


@pytest.mark.parametrize("content", [b"", b"x", b"--\r\n" * 50_000])
@pytest.mark.parametrize("filename", ["a.pdf", "Prüfung “1”.pdf", 'a"b\r\nX: y.pdf'])
def test_what_is_sent_is_what_arrives(content, filename):
    body = body_of(content, filename=filename, displayName="Grün\r\n--x", metadata='[{"key": "a"}]')
    sent = b"".join(body)
    assert len(sent) == len(body)
    fields, name, arrived = read_back(body, sent)
    assert (fields, arrived) == ({"displayName": "Grün\r\n--x", "metadata": '[{"key": "a"}]'}, content)
    assert "\r" not in name
    assert "\n" not in name


def test_pieces_are_never_larger_than_asked_for_and_lose_nothing():
    body, pieces = body_of(b"0123456789" * 100, displayName="x"), []
    while piece := body.read(7):
        pieces.append(piece)
    assert {len(piece) for piece in pieces[:-1]} == {7}
    assert sum(map(len, pieces)) == len(body)


def test_a_large_file_is_never_in_memory(tmp_path):
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(40 * 1024 * 1024)
    tracemalloc.start()
    with path.open("rb") as file:
        body = MultipartBody({}, part="file", filename="large.pdf", file=file, content_type="application/pdf")
        assert sum(len(piece) for piece in body) == len(body)
        most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * 1024 * 1024
