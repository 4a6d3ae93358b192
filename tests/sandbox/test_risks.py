"""Specification 2.5, platform-api 4.9: risk scenarios with their controls."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform

SCENARIOS = "/risk-scenarios"
OWN_CONTROL = {
    "externalId": "OWN-1",
    "name": "The roof is looked at",
    "description": "Every spring.",
    "effectiveDate": "2026-01-01",
    "domain": "CHANGE_MANAGEMENT",
}


def group_of(likelihood: int | None, impact: int | None) -> str | None:
    score = (likelihood or 0) * (impact or 0)
    bounds = ((4, "Very low"), (8, "Low"), (12, "Med"), (16, "High"), (25, "Critical"))
    return next((name for most, name in bounds if score <= most), None) if score else None


def ids(found: list[dict[str, Any]]) -> set[str]:
    return {each["riskId"] for each in found}


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
    assert "id" not in made
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
    assert platform.get(f"{SCENARIOS}/ROOF-1") == changed


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


def test_no_two_risks_have_one_id(platform: Platform) -> None:
    taken = f"RISK-{len(platform.sandbox.objects.all(platform.tenant.id, 'risk-scenarios')) + 2:03d}"
    create(platform, riskId=taken)
    again = platform.call("POST", SCENARIOS, json={"description": "x", "riskRegister": "y", "riskId": taken})
    assert again.status_code == 422
    assert create(platform)["riskId"] not in {taken, *ids(everything(platform)[:-1])}


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


def unlinked(platform: Platform, path: str) -> dict[str, Any]:
    """Return a control in use that the scenario does not have."""
    linked = {each["controlId"] for each in platform.data(path)}
    return next(control for control in platform.data("/controls") if control["externalId"] not in linked)


def test_controls_of_a_risk_come_change_and_go(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001/controls"
    before, control = platform.data(path), unlinked(platform, path)
    assert {each["controlType"] for each in before} <= {"EXISTING", "TREATMENT_PLAN"}
    name = control["externalId"]
    made = platform.call("POST", path, json={"controlId": control["id"]})
    assert (made.status_code, made.json) == (200, {"controlId": name, "controlType": "EXISTING"})
    assert platform.data(path) == [made.json, *before]
    changed = platform.call("PATCH", f"{path}/{name}", json={"controlType": "TREATMENT_PLAN"}).json
    assert changed == {"controlId": name, "controlType": "TREATMENT_PLAN"}
    assert platform.data(path) == [changed, *before]
    assert list(platform.call("PATCH", f"{path}/{name}", json={}).json["errors"]) == ["body.controlType"]
    assert platform.call("DELETE", f"{path}/{control['id']}").status_code == 204
    assert platform.data(path) == before
    assert platform.call("DELETE", f"{path}/{name}").status_code == 204, "it was not there"
    assert platform.call("DELETE", f"{path}/unknown").status_code == 204
    assert platform.call("PATCH", f"{path}/{name}", json={"controlType": "EXISTING"}).status_code == 404
    logged = [(entry["action"], entry["targets"][0]["id"]) for entry in platform.data("/event-logs")[:3]]
    assert logged == [("DELETE_CONTROL", "unknown"), ("DELETE_CONTROL", name), ("DELETE_CONTROL", control["id"])]


def test_a_control_that_is_linked_stays_as_it_is(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001/controls"
    control = unlinked(platform, path)
    for name in (control["id"], control["externalId"]):
        sent = {"controlId": name, "controlType": "TREATMENT_PLAN"}
        assert platform.call("POST", path, json=sent).json == sent | {"controlId": control["externalId"]}
    before = platform.data(path)
    other = platform.call("POST", path, json={"controlId": control["externalId"]})
    assert (other.status_code, "PATCH" in other.json["message"]) == (422, True)
    assert platform.data(path) == before
    assert [each["controlId"] for each in before].count(control["externalId"]) == 1


def test_controls_of_a_risk_have_one_of_two_types_and_are_there(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001/controls"
    control = unlinked(platform, path)
    for method, one, sent in (("POST", path, {"controlId": control["id"]}), ("PATCH", f"{path}/{control['id']}", {})):
        answer = platform.call(method, one, json=sent | {"controlType": "Preventive"})
        assert (answer.status_code, [*answer.json["errors"]]) == (400, ["body.controlType"])
    assert platform.call("POST", path, json={"controlId": "unknown"}).status_code == 422


def test_one_control_stands_with_several_risks_in_use_or_not(platform: Platform) -> None:
    paths = [f"{SCENARIOS}/RISK-00{number}/controls" for number in (1, 2, 3)]
    control = platform.call("POST", "/controls", json=OWN_CONTROL).json
    for path in paths[:2]:
        platform.call("POST", path, json={"controlId": control["id"]})
    platform.call("PATCH", f"{paths[0]}/OWN-1", json={"controlType": "TREATMENT_PLAN"})
    assert platform.data(paths[1])[0] == {"controlId": "OWN-1", "controlType": "EXISTING"}
    assert platform.call("DELETE", f"{paths[0]}/OWN-1").status_code == 204
    platform.call("DELETE", f"/controls/{control['id']}")
    assert platform.data(paths[1])[0] == {"controlId": "OWN-1", "controlType": "EXISTING"}
    assert "OWN-1" not in {each["controlId"] for path in (paths[0], paths[2]) for each in platform.data(path)}


def test_a_control_without_a_short_name_is_named_by_its_id(platform: Platform) -> None:
    path = f"{SCENARIOS}/RISK-001/controls"
    library = platform.data("/controls/deactivated-controls")[0]
    assert library["externalId"] is None
    made = platform.call("POST", path, json={"controlId": library["id"], "controlType": "EXISTING"}).json
    assert made == {"controlId": library["id"], "controlType": "EXISTING"} == platform.data(path)[0]
