"""Platform-api 4.2: contracts, under both path families."""

import io
from typing import Any

import pytest

from tests.sandbox.platform import Platform

PATHS = ("/customer-trust/contracts", "/contracts")
BOTH = pytest.mark.parametrize("path", PATHS)


def upload(platform: Platform, path: str, *, content: bytes = b"%PDF-1.7 x", name: str = "msa.pdf", **parts: str) -> Any:
    return platform.call("POST", path, data={"file": (io.BytesIO(content), name), **parts})


@BOTH
def test_a_contract_is_created_read_and_deleted(platform: Platform, path: str) -> None:
    account = platform.data("/customer-trust/accounts")[0]["id"]
    made = upload(platform, path, externalId="CRM-1", accountId=account, executedDate="2026-03-01")
    assert made.status_code == 201
    assert made.json == {
        "id": made.json["id"],
        "externalId": "CRM-1",
        "name": "msa.pdf",
        "customerTrustAccountId": account,
        "executedDate": "2026-03-01T00:00:00.000Z",
        "creationDate": made.json["creationDate"],
    }
    for other in PATHS:
        assert platform.get(f"{other}/{made.json['id']}") == made.json
        assert platform.data(other)[0] == made.json
    assert platform.call("DELETE", f"{path}/{made.json['id']}").status_code == 204
    assert platform.call("GET", f"{path}/{made.json['id']}").status_code == 404


def test_unset_fields_are_explicit_nulls(platform: Platform) -> None:
    made = upload(platform, PATHS[0]).json
    assert (made["externalId"], made["customerTrustAccountId"], made["executedDate"]) == (None, None, None)


def test_a_repeated_external_id_is_409_over_both_paths(platform: Platform) -> None:
    assert upload(platform, PATHS[0], externalId="CRM-1").status_code == 201
    count = len(platform.data(PATHS[0]))
    for path in PATHS:
        refused = upload(platform, path, externalId="CRM-1")
        assert refused.status_code == 409
        assert refused.json["message"]
    assert len(platform.data(PATHS[0])) == count


def test_an_external_id_is_unique_within_its_tenant_only(platform: Platform) -> None:
    assert upload(platform, PATHS[0], externalId="CRM-1").status_code == 201
    platform.sandbox.tenants.create("Fabrikon", seed=2)
    platform.headers = {}  # a new token, which belongs to the tenant that was made last
    assert upload(platform, PATHS[0], externalId="CRM-1").status_code == 201


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"content": b"PK"}, "body.file"),
        ({"name": "msa.docx"}, "body.file"),
        ({"externalId": "x" * 257}, "body.externalId"),
        ({"externalId": ""}, "body.externalId"),
        ({"executedDate": "soon"}, "body.executedDate"),
        ({"extra": "x"}, "body.extra"),
    ],
)
def test_a_wrong_upload_is_400(platform: Platform, options: dict[str, Any], path: str) -> None:
    answer = upload(platform, PATHS[0], **options)
    assert answer.status_code == 400
    assert set(answer.json["errors"]) == {path}


def test_a_missing_file_is_400(platform: Platform) -> None:
    answer = platform.call("POST", PATHS[0], data={"externalId": "CRM-1"})
    assert answer.json["errors"] == {"body.file": {"message": "'file' is required", "value": None}}


def test_an_unknown_account_is_422(platform: Platform) -> None:
    assert upload(platform, PATHS[0], accountId="x").status_code == 422


def test_ten_uploads_a_minute_over_both_paths(platform: Platform) -> None:
    platform.sandbox.limits.change({"contracts": 10})
    for number in range(10):
        assert upload(platform, PATHS[number % 2]).status_code == 201
    for path in PATHS:
        refused = upload(platform, path)
        assert (refused.status_code, refused.headers["Retry-After"].isdigit()) == (429, True)
    assert platform.call("GET", PATHS[0]).status_code == 200
    platform.sandbox.clock.advance(61)
    assert upload(platform, PATHS[0]).status_code == 201
