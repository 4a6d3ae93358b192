"""Specification 2.5, platform-api 4.9: risk scenarios with their controls."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform

SCENARIOS = "/risk-scenarios"


def group_of(likelihood: int | None, impact: int | None) -> str | None:
    score = (likelihood or 0) * (impact or 0)
    bounds = ((4, "Very low"), (8, "Low"), (12, "Med"), (16, "High"), (25, "Critical"))
    return next((name for most, name in bounds if score <= most), None) if score else None


def ids(found: list[dict[str, Any]]) -> set[str]:
    return {each["id"] for each in found}


def create(platform: Platform, **fields: Any) -> dict[str, Any]:
    sent = {"description": "The roof leaks", "riskRegister": "Company risks"} | fields
    answer = platform.call("POST", SCENARIOS, json=sent)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json
    return made


def test_a_minimal_risk_scenario_has_every_field(platform: Platform) -> None:
    made = create(platform)
    assert made.keys() == platform.data(SCENARIOS)[0].keys()
    assert (made["type"], made["reviewStatus"], made["isArchived"]) == ("Risk Scenario", "DRAFT", False)
    assert made["identificationDate"]
    assert platform.get(f"{SCENARIOS}/{made['id']}") == made
    assert platform.get(f"{SCENARIOS}/{made['riskId']}") == made


def test_a_risk_scenario_is_created_and_changed(platform: Platform) -> None:
    owner = platform.data("/users")[0]["email"]
    sent = {"riskId": "ROOF-1", "owner": owner, "likelihood": 2, "impact": 5, "ciaCategories": ["Availability"]}
    made = create(platform, **sent, identificationDate="2026-02-03")
    assert {name: made[name] for name in sent} == sent
    assert made["identificationDate"] == "2026-02-03T00:00:00.000Z"
    change = {"treatment": "Accept", "owner": None, "note": "", "likelihood": 0}
    changed = platform.call("PATCH", f"{SCENARIOS}/ROOF-1", json=change).json
    assert changed == made | change
    assert platform.get(f"{SCENARIOS}/{made['id']}") == changed


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("likelihood", "high"),
        ("impact", 1.5),
        ("treatment", "Ignore"),
        ("type", "Other"),
        ("ciaCategories", ["Beauty"]),
        ("detailedDescription", "x" * 10_001),
        *((field, None) for field in ("note", "treatment", "isSensitive", "residualImpact")),
        *((field, "x") for field in ("riskId", "isArchived", "requiredApprovers")),
    ],
)
def test_a_risk_that_makes_no_sense_is_400(platform: Platform, field: str, value: Any) -> None:
    answer = platform.call("PATCH", f"{SCENARIOS}/RISK-001", json={field: value})
    assert answer.status_code == 400
    assert all(key.startswith(f"body.{field}") for key in answer.json["errors"])


def test_a_risk_needs_a_register_and_a_known_owner(platform: Platform) -> None:
    assert list(platform.call("POST", SCENARIOS, json={"description": "x"}).json["errors"]) == ["body.riskRegister"]
    body = {"owner": "nobody@elsewhere.example"}
    assert platform.call("PATCH", f"{SCENARIOS}/RISK-001", json=body).status_code == 422
    sent = {"description": "x", "riskRegister": "y"} | body
    assert platform.call("POST", SCENARIOS, json=sent).status_code == 422


def test_an_enterprise_risk_has_no_register_and_no_type_changes(platform: Platform) -> None:
    made = platform.call("POST", SCENARIOS, json={"description": "x", "type": "Enterprise Risk"}).json
    assert (made["type"], made["riskRegister"]) == ("Enterprise Risk", None)
    both = {"description": "x", "type": "Enterprise Risk", "riskRegister": "y"}
    assert platform.call("POST", SCENARIOS, json=both).status_code == 422
    assert platform.call("PATCH", f"{SCENARIOS}/RISK-001", json={"type": "Risk Scenario"}).status_code == 422


def test_approval_is_asked_for_and_taken_back(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001"
    asked = platform.call("POST", f"{path}/submit-for-approval", json={"comment": "Please."}).json
    assert asked["reviewStatus"] == "PENDING_APPROVAL"
    assert platform.call("POST", f"{path}/submit-for-approval", json={}).json == asked
    assert platform.call("POST", f"{path}/submit-for-approval").status_code == 400
    back = platform.call("POST", f"{path}/cancel-approval-request").json
    assert back["reviewStatus"] == "AWAITING_SUBMISSION"
    assert platform.get(path) == back


def everything(platform: Platform) -> list[dict[str, Any]]:
    return platform.data(SCENARIOS, includeIgnored="true")


def test_risks_are_scenarios_that_nobody_archived_unless_asked(platform: Platform) -> None:
    shown = platform.data(SCENARIOS)
    assert {(each["type"], each["isArchived"]) for each in shown} == {("Risk Scenario", False)}
    assert {each["isArchived"] for each in everything(platform)} == {True, False}
    enterprise = platform.data(SCENARIOS, type="Enterprise Risk")
    assert enterprise and {each["type"] for each in enterprise} == {"Enterprise Risk"}


def test_risks_are_filtered(platform: Platform) -> None:
    def found(**query: Any) -> list[dict[str, Any]]:
        return platform.data(SCENARIOS, includeIgnored="true", **query)

    everyone = everything(platform)
    category = everyone[0]["categories"][0]
    assert found(categoryMatchesAny=category) == [each for each in everyone if category in each["categories"]]
    assert found(searchString=everyone[0]["description"].upper()) == everyone[:1]
    assert found(reviewStatusMatchesAny="DRAFT,APPROVED") == [
        each for each in everyone if each["reviewStatus"] in {"DRAFT", "APPROVED"}
    ]
    assert found(ciaCategoryMatchesAny=["Uncategorized", "Integrity"]) == [
        each for each in everyone if not each["ciaCategories"] or "Integrity" in each["ciaCategories"]
    ]
    assert found(treatmentTypeMatchesAny="No treatment type") == [each for each in everyone if each["treatment"] is None]
    assert found(treatmentTypeMatchesAny="Accept") == [each for each in everyone if each["treatment"] == "Accept"]
    wrong = platform.call("GET", SCENARIOS, query_string={"treatmentTypeMatchesAny": "Ignore"})
    assert list(wrong.json["errors"]) == ["treatmentTypeMatchesAny"]


def test_risks_are_filtered_by_owner(platform: Platform) -> None:
    everyone = everything(platform)
    owned = next(each for each in everyone if each["owner"])
    user = next(user for user in platform.data("/users") if user["email"] == owned["owner"])
    of_user = [each for each in everyone if each["owner"] == user["email"]]
    of_nobody = [each for each in everyone if each["owner"] is None]
    assert of_nobody
    assert platform.data(SCENARIOS, includeIgnored="true", ownerMatchesAny=user["id"]) == of_user
    assert platform.data(SCENARIOS, includeIgnored="true", ownerMatchesAny="No owner") == of_nobody
    both = platform.data(SCENARIOS, includeIgnored="true", ownerMatchesAny=[user["id"], "No owner"])
    assert ids(both) == ids(of_user) | ids(of_nobody)


@pytest.mark.parametrize("groups", [["Very low"], ["Low", "Med"], ["High", "Critical"]])
def test_risks_are_filtered_by_score(platform: Platform, groups: list[str]) -> None:
    everyone = everything(platform)
    inherent = [each for each in everyone if group_of(each["likelihood"], each["impact"]) in groups]
    residual = [each for each in everyone if group_of(each["residualLikelihood"], each["residualImpact"]) in groups]
    assert platform.data(SCENARIOS, includeIgnored="true", inherentScoreGroupMatchesAny=groups) == inherent
    assert platform.data(SCENARIOS, includeIgnored="true", residualScoreGroupMatchesAny=groups) == residual


def test_risks_are_sorted(platform: Platform) -> None:
    named = [each["description"] for each in platform.data(SCENARIOS, orderBy="description")]
    assert named == sorted(named, key=str.casefold)
    made = create(platform, description="0 first")
    assert platform.data(SCENARIOS, orderBy="createdAt")[-1] == made
    assert platform.data(SCENARIOS, orderBy="description")[0] == made
    assert platform.data(SCENARIOS, orderBy="createdAt", orderDirection="desc")[-1] == made, "there is no such parameter"


def test_controls_of_a_risk_come_change_and_go(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001/controls"
    before = platform.data(path)
    made = platform.call("POST", path, json={"controlId": "control-1", "controlType": "Preventive"})
    assert (made.status_code, made.json) == (200, {"id": "control-1", "controlType": "Preventive"})
    assert platform.data(path) == [made.json, *before]
    again = platform.call("POST", path, json={"controlId": "control-1"})
    assert again.status_code == 409
    changed = platform.call("PATCH", f"{path}/control-1", json={"controlType": "Detective"}).json
    assert changed == {"id": "control-1", "controlType": "Detective"}
    assert platform.data(path) == [changed, *before]
    assert list(platform.call("PATCH", f"{path}/control-1", json={}).json["errors"]) == ["body.controlType"]
    assert platform.call("DELETE", f"{path}/control-1").status_code == 204
    assert platform.data(path) == before
    assert platform.call("DELETE", f"{path}/control-1").status_code == 404


def test_one_control_stands_with_several_risks(platform: Platform) -> None:
    paths = [f"{SCENARIOS}/RISK-00{number}/controls" for number in (1, 2, 3)]
    for path in paths[:2]:
        assert platform.call("POST", path, json={"controlId": "shared"}).json == {"id": "shared", "controlType": None}
    platform.call("PATCH", f"{paths[0]}/shared", json={"controlType": "Corrective"})
    assert platform.data(paths[1])[0] == {"id": "shared", "controlType": None}
    assert platform.call("DELETE", f"{paths[2]}/shared").status_code == 404
    assert platform.call("DELETE", f"{paths[0]}/shared").status_code == 204
    assert "shared" in ids(platform.data(paths[1]))
