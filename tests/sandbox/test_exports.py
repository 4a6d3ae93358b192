"""Platform-api 4.1.5: exports and their pre-signed downloads."""

import io
import zipfile
from typing import Any

import pytest

from tests.sandbox.platform import Platform

QUESTIONNAIRES = "/customer-trust/questionnaires"
PATH = f"{QUESTIONNAIRES}/exports"


def questionnaire(platform: Platform, questionnaire_type: str) -> dict[str, Any]:
    found = platform.data(QUESTIONNAIRES, statusMatchesAny="COMPLETE")[0] | {"type": questionnaire_type}
    return platform.sandbox.objects.save(platform.tenant.id, "questionnaires", found)


def export(platform: Platform, questionnaire_id: str, export_format: str) -> dict[str, Any]:
    """Start an export and let it end."""
    started = platform.call("POST", PATH, json={"questionnaireId": questionnaire_id, "format": export_format})
    assert started.status_code == 202, started.text
    assert set(started.json) == {"id", "status", "format", "requestedAt"}
    assert started.json["status"] == "pending"
    assert platform.get(f"{PATH}/{started.json['id']}") == started.json
    platform.sandbox.clock.advance(6)
    platform.sandbox.deliver_due()
    found: dict[str, Any] = platform.get(f"{PATH}/{started.json['id']}")
    return found


def test_a_csv_export_completes_and_downloads_without_a_token(platform: Platform) -> None:
    one = questionnaire(platform, "SPREADSHEET")
    done = export(platform, one["id"], "csv")
    assert done["status"] == "completed"
    download = platform.http.get(done["downloadUrl"])
    assert download.status_code == 200
    assert download.mimetype == "text/csv"
    assert download.headers["Content-Disposition"].startswith("attachment")
    response = platform.data(f"{QUESTIONNAIRES}/{one['id']}/responses")[0]
    assert response["question"] in download.text
    kind, payload = platform.messages()[-1]
    assert kind == "v1.questionnaire.export-completed"
    told = {name: done[name] for name in ("id", "format", "requestedAt", "completedAt")}
    assert payload == {"questionnaire": {"id": one["id"]}, "export": told}


@pytest.mark.parametrize(
    ("questionnaire_type", "member"), [("SPREADSHEET", "xl/workbook.xml"), ("DOCUMENT", "word/document.xml")]
)
def test_an_original_export_is_an_office_file(platform: Platform, questionnaire_type: str, member: str) -> None:
    done = export(platform, questionnaire(platform, questionnaire_type)["id"], "original")
    with zipfile.ZipFile(io.BytesIO(platform.http.get(done["downloadUrl"]).data)) as archive:
        assert archive.testzip() is None
        assert member in archive.namelist()


def test_a_website_has_no_original(platform: Platform) -> None:
    one = questionnaire(platform, "WEBSITE")
    failed = export(platform, one["id"], "original")
    assert failed["status"] == "failed"
    assert failed["failedAt"]
    assert not {"completedAt", "downloadUrl"} & set(failed)
    kind, payload = platform.messages()[-1]
    assert kind == "v1.questionnaire.export-failed"
    assert payload["export"]["reason"] == failed["errorMessage"]
    assert "errorMessage" not in payload["export"]


def test_nothing_to_export_fails(platform: Platform) -> None:
    body = {"displayName": "Portal", "url": "https://vendors.example/1"}
    empty = platform.call("POST", f"{QUESTIONNAIRES}/website", json=body).json
    assert export(platform, empty["id"], "csv")["errorMessage"] == "Nothing to export"


def test_the_address_expires_after_a_day_and_asking_again_gives_a_fresh_one(platform: Platform) -> None:
    done = export(platform, questionnaire(platform, "SPREADSHEET")["id"], "csv")
    platform.sandbox.clock.advance(24 * 3600 + 1)
    assert platform.http.get(done["downloadUrl"]).status_code == 403
    platform.headers = {}
    fresh = platform.get(f"{PATH}/{done['id']}")
    assert platform.http.get(fresh["downloadUrl"]).status_code == 200


def test_storage_refuses_a_bearer_token_and_a_changed_address(platform: Platform) -> None:
    url = export(platform, questionnaire(platform, "SPREADSHEET")["id"], "csv")["downloadUrl"]
    assert platform.http.get(url, headers=platform.headers).status_code == 400
    for changed in (url[:-1] + ("0" if url[-1] != "0" else "1"), url.replace("expires=", "expires=9"), url.split("?")[0]):
        assert platform.http.get(changed).status_code == 403


@pytest.mark.parametrize("body", [{}, {"questionnaireId": "x"}, {"questionnaireId": "x", "format": "pdf"}])
def test_a_wrong_request_is_400(platform: Platform, body: dict[str, str]) -> None:
    assert platform.call("POST", PATH, json=body).status_code == 400


def test_an_unknown_questionnaire_is_404(platform: Platform) -> None:
    assert platform.call("POST", PATH, json={"questionnaireId": "x", "format": "csv"}).status_code == 404
