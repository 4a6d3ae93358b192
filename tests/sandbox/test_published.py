"""Management-api 3 and auditor-api 4: what answers have, as published. Every answer is also checked against its shape."""

from typing import Any

import pytest

from portal.sandbox.kinds import codes
from tests.sandbox.platform import Platform

KEYS: dict[str, str] = {
    "/groups": "id name creationDate description source personnelCount pointOfContact",
    "/people": "id userId emailAddress name employment leaveInfo groupIds sources tasksSummary",
    "/vendors": (
        "id name status category websiteUrl accountManagerName accountManagerEmail servicesProvided additionalNotes "
        "securityOwnerUserId businessOwnerUserId contractStartDate contractRenewalDate contractTerminationDate contractAmount "
        "nextSecurityReviewDueDate lastSecurityReviewCompletionDate isVisibleToAuditors isRiskAutoScored riskAttributeIds "
        "inherentRiskLevel residualRiskLevel vendorHeadquarters authDetails customFields latestDecision "
        "linkedTaskTrackerTaskProcurementRequest"
    ),
    "/discovered-vendors": "id name normalizedName category source discoveredDate numberOfAccounts ignored rejected",
    "/documents": "id ownerId category title description isSensitive uploadStatus uploadStatusDate url",
    "/tests": (
        "id name description failureDescription remediationDescription version category status owner integrations "
        "lastTestRunDate latestFlipDate deactivatedStatusInfo remediationStatusInfo"
    ),
    "/policies": "id name description status approvedAtDate latestVersion latestApprovedVersion",
    "/integrations": "integrationId displayName resourceKinds connections",
    "/trust-centers/{slug}/controls": "id name description categories",
    "/audits/{audit}/people": "id userId emailAddress name employment leaveInfo groupIds sources tasksSummary",
    "/audits/{audit}/monitored-computers": (
        "id integrationId lastCheckDate screenlock diskEncryption passwordManager antivirusInstallation operatingSystem owner "
        "serialNumber udid"
    ),
    "/audits/{audit}/vulnerabilities": (
        "id name description integrationId packageIdentifier vulnerabilityType targetId firstDetectedDate sourceDetectedDate "
        "lastDetectedDate severity cvssSeverityScore scannerScore isFixable remediateByDate relatedVulns relatedUrls "
        "externalURL scanSource deactivateMetadata"
    ),
    "/audits/{audit}/vulnerability-remediations": (
        "id vulnerabilityId vulnerableAssetId severity detectedDate slaDeadlineDate remediationDate"
    ),
    "/audits/{audit}/vulnerable-assets": "id name assetType hasBeenScanned imageScanTag scanners",
    "/audits/{audit}/controls": (
        "id externalId name description source domains owner customFields creationDate modificationDate framework sections "
        "inScopeSegmentIds assessments"
    ),
    "/audits/{audit}/comments": "id auditEvidenceId text email authorName creationDate modificationDate deletionDate",
    "/audits/{audit}/managed-vendors": (
        "id name inherentRisk status findings lastReviewedCompleted nextSecurityReviewDueDate vendorCategory residualRisk "
        "dataAgreements"
    ),
    "/audits/{audit}/personnel/people": (
        "id name email jobTitle employmentStatus startDate endDate groups source taskStatus lastReminded policies trainings "
        "backgroundChecks deviceMonitoring customOnboarding customOffboarding"
    ),
    "/audits/{audit}/personnel/groups": "id name members source tasks tasksLastUpdated pointOfContact",
    "/audits/{audit}/personnel/computers": (
        "id deviceName osPlatform osVersion owner monitoredBy passwordManager hardDriveEncrypted antivirusInstalled "
        "screenlockEnabled unmonitoredReason"
    ),
    "/audits/{audit}/personnel/account-access/services": "id credentialDisplayName service subAccountId",
    "/audits/{audit}/integrations": "id name tags categories",
    "/audits/{audit}/issues/snapshots": "id title description createdAt",
    "/audits/{audit}/issues/items": (
        "id readableIssueId issueId snapshotId title description dueDate status createdAt lastModifiedAt detectedAt "
        "approvalProgress"
    ),
    "/audits/{audit}/risks/snapshots": "id createdAt",
}
"""The keys of the objects of a list."""


def path_of(platform: Platform, path: str) -> str:
    return path.format(slug=platform.tenant.slug_id, audit=platform.data("/audits")[0]["id"])


@pytest.mark.parametrize("path", KEYS)
def test_every_object_has_the_keys_that_are_published_and_no_others(platform: Platform, path: str) -> None:
    found = platform.data(path_of(platform, path))
    assert len(found) >= 3
    assert {frozenset(each) for each in found} == {frozenset(KEYS[path].split())}


def test_the_audits_vendors_are_those_of_the_tenant_without_decision_and_task(platform: Platform) -> None:
    missing = {"latestDecision", "linkedTaskTrackerTaskProcurementRequest"}
    vendor, own = platform.data(path_of(platform, "/audits/{audit}/vendors"))[0], platform.data("/vendors")[0]
    assert own.keys() - vendor.keys() == missing and len(vendor) == 25
    assert isinstance(vendor["authDetails"], dict)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("COUNTRIES", 254),
        ("CURRENCIES", 24),
        ("LOCALES", 25),
        ("CONTROL_DOMAINS", 38),
        ("FRAMEWORK_IDS", 36),
        ("CATEGORIES", 18),
    ],
)
def test_closed_lists_have_as_many_words_as_published(name: str, number: int) -> None:
    words = getattr(codes, name)
    assert len(set(words)) == len(words) == number


def test_words_of_controls_come_from_the_closed_list(platform: Platform) -> None:
    for path in ("/controls", "/controls/deactivated-controls", path_of(platform, "/audits/{audit}/controls")):
        assert {domain for control in platform.data(path) for domain in control["domains"]} <= {*codes.CONTROL_DOMAINS}


def test_requirements_show_their_controls_with_words(platform: Platform) -> None:
    requirements = platform.get("/frameworks/soc2")["requirementCategories"][0]["requirements"]
    controls = [control for requirement in requirements for control in requirement["controls"]]
    assert {frozenset(control) for control in controls} == {frozenset({"id", "name", "description", "externalId"})}


def test_policies_name_their_version_and_a_language_in_capitals(platform: Platform) -> None:
    versions = [policy["latestApprovedVersion"] for policy in platform.data("/policies")]
    assert None in versions
    for version in filter(None, versions):
        assert version["versionId"] and version["documents"][0]["language"] == "EN"


def test_segments_say_their_system_as_an_object_and_the_organization_its_domain(platform: Platform) -> None:
    audit = platform.data("/audits")[0]
    assert [segment["system"] and {*segment["system"]} for segment in audit["segments"]] == [None, {"id", "displayName"}]
    assert audit["customerOrganizationName"] == "northwind.example"
    assert (audit["customerDisplayName"], len(audit["customerOrganizationId"])) == ("Northwind", 36)


def test_an_address_answers_without_a_token_and_stays_the_same(platform: Platform) -> None:
    vendor = platform.data("/vendors")[0]["id"]
    lists = (
        "/documents",
        f"/vendors/{vendor}/documents",
        *(f"/documents/{each['id']}/uploads" for each in platform.data("/documents")),
    )
    found = [(path, each) for path in lists for each in platform.data(path)]
    found += [
        ("/policies", each["latestApprovedVersion"]["documents"][0])
        for each in platform.data("/policies")
        if each["latestApprovedVersion"]
    ]
    for path, each in found:
        answer = platform.http.get(each["url"])
        is_there = each.get("deletionDate") is None
        assert (answer.status_code, answer.mimetype) == ((200, "application/pdf") if is_there else (404, "application/xml")), (
            path
        )
    again = [each["url"] for path in lists for each in platform.data(path)]
    assert again == [each["url"] for _, each in found][: len(again)]
    assert platform.http.get(found[0][1]["url"].replace("signature=", "signature=x")).status_code == 403


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/controls", {}, "source"),
        ("/groups", {}, "source"),
        ("/audits/{audit}/controls", {}, "source"),
        ("/audits/{audit}/personnel/groups", {}, "source"),
        ("/people", {}, "sources"),
        ("/audits/{audit}/people", {}, "sources"),
    ],
)
def test_the_platforms_own_name_is_said_where_a_client_insists(
    platform: Platform, path: str, query: dict[str, Any], field: str
) -> None:
    path = path_of(platform, path)
    ours = [each[field] for each in platform.data(path, **query)]
    platform.sandbox.own_name.change("Acme")
    answer = platform.http.get(f"/v1{path}?pageSize=100", headers=platform.headers)
    said = [each[field] for each in answer.json["results"]["data"]]
    assert said != ours
    assert str(said).replace("ACME", "PLATFORM").replace("Acme", "Platform") == str(ours)
    assert "latform" not in str(said)


def test_the_name_is_understood_in_questions_and_texts_are_left_alone(platform: Platform) -> None:
    path = path_of(platform, "/audits/{audit}/information-requests")
    requests = [f"{path}/{each['id']}/evidence" for each in platform.data(path)]
    name = "Platform things"
    made = platform.call("POST", "/vendors", json={"name": name}).json
    assert platform.control("POST", "/own-name", name="Acme") == platform.control("GET", "/own-name") == {"name": "Acme"}
    assert platform.get(f"/vendors/{made['id']}")["name"] == name

    def kinds(query: str) -> set[str]:
        answers = [platform.http.get(f"/v1{each}?{query}", headers=platform.headers).json for each in requests]
        return {found["evidenceType"] for answer in answers for found in answer["results"]["data"]}

    assert kinds("evidenceTypeMatchesAny=ACME_TEST_SNAPSHOT") == {"ACME_TEST_SNAPSHOT"}
    assert "ACME_TEST_SNAPSHOT" in kinds("pageSize=100")
    assert platform.http.post("/_control/own-name", json={"name": "two words"}).status_code == 400
