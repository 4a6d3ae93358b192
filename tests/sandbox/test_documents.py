"""Specification 2.3 and 4.3, platform-api 4.11: documents, links, uploads."""

import io
from typing import Any

import pytest

from tests.sandbox.platform import Platform

NEW = {
    "title": "Clean desk (photo)",
    "description": "A picture.",
    "timeSensitivity": "MOST_RECENT",
    "cadence": "P2Y",
    "reminderWindow": "P1M",
    "isSensitive": False,
}


def upload(platform: Platform, document: str, *, content: bytes = b"a,b\n", name: str = "list.csv", **parts: str) -> Any:
    data = {"file": (io.BytesIO(content), name, "text/csv"), **parts}
    return platform.call("POST", f"/documents/{document}/uploads", data=data)


def first(platform: Platform) -> str:
    return str(platform.data("/documents")[0]["id"])


def test_an_upload_is_201_with_every_field_and_its_file_comes_back(platform: Platform) -> None:
    document = first(platform)
    made = upload(platform, document, effectiveAtDate="2026-03-01", description="Q1")
    assert made.status_code == 201
    assert made.json | {"id": "", "url": "", "creationDate": "", "updatedDate": ""} == {
        "id": "",
        "fileName": "list.csv",
        "title": "Uploaded through the API",
        "description": "Q1",
        "url": "",
        "mimeType": "text/csv",
        "uploadedBy": {"type": "APPLICATION", "id": platform.application("management")["client_id"]},
        "creationDate": "",
        "updatedDate": "",
        "effectiveDate": "2026-03-01T00:00:00.000Z",
        "deletionDate": None,
    }
    assert platform.data(f"/documents/{document}/uploads")[0] == made.json
    file = platform.call("GET", f"/documents/{document}/uploads/{made.json['id']}/media")
    assert (file.data, file.mimetype) == (b"a,b\n", "text/csv")


def test_what_is_left_out_has_its_default(platform: Platform) -> None:
    made = upload(platform, first(platform)).json
    assert made["description"] is None
    assert made["effectiveDate"] == made["creationDate"]


def test_every_upload_adds_a_row(platform: Platform) -> None:
    document = first(platform)
    before = len(platform.data(f"/documents/{document}/uploads"))
    assert upload(platform, document).json["id"] != upload(platform, document).json["id"]
    assert len(platform.data(f"/documents/{document}/uploads")) == before + 2


def test_an_unknown_document_is_404_before_the_body_is_read(platform: Platform) -> None:
    answer = platform.call("POST", "/documents/nope/uploads", data={"extra": "x"})
    assert answer.status_code == 404
    assert answer.json == {"message": "Document with id: nope not found"}


@pytest.mark.parametrize(("parts", "path"), [({"effectiveAtDate": "soon"}, "effectiveAtDate"), ({"title": "x"}, "title")])
def test_a_wrong_upload_is_400(platform: Platform, parts: dict[str, str], path: str) -> None:
    answer = upload(platform, first(platform), **parts)
    assert (answer.status_code, [*answer.json["errors"]]) == (400, [f"body.{path}"])


def test_a_missing_file_is_400(platform: Platform) -> None:
    answer = platform.call("POST", f"/documents/{first(platform)}/uploads", data={"description": "x"})
    assert [*answer.json["errors"]] == ["body.file"]


def test_a_deleted_upload_stays_listed_with_its_date_but_has_no_file(platform: Platform) -> None:
    document = first(platform)
    made = upload(platform, document).json
    path = f"/documents/{document}/uploads/{made['id']}"
    assert platform.call("DELETE", path).status_code == 204
    assert platform.data(f"/documents/{document}/uploads")[0]["deletionDate"]
    assert platform.call("GET", f"{path}/media").status_code == 404
    assert platform.call("DELETE", path).status_code == 404


def test_an_upload_belongs_to_its_document(platform: Platform) -> None:
    one, other = (document["id"] for document in platform.data("/documents")[:2])
    made = upload(platform, one).json
    assert platform.call("GET", f"/documents/{other}/uploads/{made['id']}/media").status_code == 404


def test_a_document_gets_a_readable_id_and_a_second_one_another(platform: Platform) -> None:
    made = platform.call("POST", "/documents", json=NEW)
    assert made.status_code == 201
    assert (made.json["id"], made.json["uploadStatus"]) == ("clean-desk-photo", "Needs document")
    detail = platform.get("/documents/clean-desk-photo")
    assert (detail.items() >= made.json.items(), detail["renewalCadence"]) == (True, "P2Y")
    assert platform.call("POST", "/documents", json=NEW).json["id"] == "clean-desk-photo-2"
    assert platform.call("DELETE", "/documents/clean-desk-photo").status_code == 204
    assert platform.call("GET", "/documents/clean-desk-photo").status_code == 404


@pytest.mark.parametrize("wrong", [{"cadence": "P9D"}, {"reminderWindow": "P6M"}, {"isSensitive": "no"}, {"title": ""}])
def test_a_wrong_document_is_400(platform: Platform, wrong: dict[str, Any]) -> None:
    answer = platform.call("POST", "/documents", json=NEW | wrong)
    assert (answer.status_code, [*answer.json["errors"]]) == (400, [f"body.{name}" for name in wrong])


def test_statuses_with_spaces_filter(platform: Platform) -> None:
    found = platform.data("/documents", statusMatchesAny=["Needs document", "Not relevant"])
    assert {document["uploadStatus"] for document in found} == {"Needs document", "Not relevant"}
    assert platform.data("/documents", statusMatchesAny="Needs document,Not relevant") == found
    assert platform.call("GET", "/documents", query_string={"statusMatchesAny": "NEEDS"}).status_code == 400


def test_a_framework_has_the_documents_of_its_controls(platform: Platform) -> None:
    found = {document["id"] for document in platform.data("/documents", frameworkMatchesAny="gdpr")}
    expected = {
        document["id"]
        for control in platform.data("/frameworks/gdpr/controls")
        for document in platform.data(f"/controls/{control['id']}/documents")
    }
    assert found == expected != set()


def test_links_come_and_go(platform: Platform) -> None:
    path = f"/documents/{first(platform)}/links"
    made = platform.call("POST", path, json={"url": "https://wiki.example/x", "title": "Page"})
    assert made.status_code == 201
    assert (made.json["description"], made.json["effectiveDate"]) == ("", None)
    assert platform.data(path)[0] == made.json
    assert platform.call("DELETE", f"{path}/{made.json['id']}").status_code == 204
    assert made.json not in platform.data(path)
    assert platform.call("POST", path, json={"url": "no address", "title": "Page"}).status_code == 400


def test_an_owner_is_set_and_cleared_and_an_unknown_one_is_422(platform: Platform) -> None:
    path, user = f"/documents/{first(platform)}", platform.data("/users")[0]["id"]
    for owner in (user, None):
        assert platform.call("POST", f"{path}/set-owner", json={"userId": owner}).json["ownerId"] == owner
    assert platform.call("POST", f"{path}/set-owner", json={"userId": "x"}).status_code == 422
    assert platform.call("POST", f"{path}/set-owner", json={}).status_code == 400


def test_what_is_submitted_is_in_order(platform: Platform) -> None:
    document = platform.data("/documents", statusMatchesAny="Needs document")[0]["id"]
    assert platform.call("POST", f"/documents/{document}/submit").status_code == 204
    assert platform.get(f"/documents/{document}")["uploadStatus"] == "OK"


@pytest.mark.parametrize(
    ("scope", "listed", "read", "uploaded", "deleted"),
    [
        ("svc-api.documents:list", 200, 403, 403, 403),
        ("svc-api.documents:read", 200, 200, 403, 403),
        ("svc-api.documents:upload", 403, 403, 201, 403),
        ("svc-api.documents:write", 200, 200, 201, 204),
    ],
)
def test_strict_scopes_tell_documents_apart(
    strict: Platform, scope: str, listed: int, read: int, uploaded: int, deleted: int
) -> None:  # fmt: skip
    document = strict.data("/documents")[0]["id"]
    strict.headers = {"Authorization": f"Bearer {strict.issue(scope=scope)}"}
    assert strict.call("GET", "/documents").status_code == listed
    assert strict.call("GET", f"/documents/{document}").status_code == read
    assert upload(strict, document).status_code == uploaded
    assert strict.call("DELETE", f"/documents/{document}").status_code == deleted


def test_an_integration_reads_and_uploads_but_changes_no_document(strict: Platform) -> None:
    document = strict.data("/documents")[0]["id"]
    strict.headers = {"Authorization": f"Bearer {strict.connect()['access_token']}"}
    assert strict.call("GET", "/documents").status_code == 200
    assert upload(strict, document).status_code == 201
    assert strict.call("DELETE", f"/documents/{document}").status_code == 403
