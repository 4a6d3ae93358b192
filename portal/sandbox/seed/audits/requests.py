"""Makes information requests with evidence, comments and history (platform-api 4.13)."""

from collections.abc import Iterator
from random import Random

from portal.sandbox.seed.audits.audits import AUDITOR, comments_on
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch, Json, new_id

REQUESTS = (
    ("List of people hired in the period", "POPULATION", "AUDITOR_APPROVED"),
    ("Organization chart", "POINT_IN_TIME", "AUDITOR_FLAGGED"),
    ("Sample of changes with their reviews", "SAMPLE", "READY_FOR_AUDIT"),
    ("List of incidents in the period", "POPULATION", "NEEDS_EVIDENCE"),
    ("Configuration of backups", "POINT_IN_TIME", "NEEDS_EVIDENCE"),
    ("Sample of access reviews", "SAMPLE", "READY_FOR_AUDIT"),
)
EVIDENCE = (
    ("export.csv", "UPLOADED_DOCUMENT"),
    ("Walkthrough with the head of engineering", "OBSERVATION"),
    ("Storage is encrypted", "PLATFORM_TEST_SNAPSHOT"),
)


def build_requests(cast: Cast, audit: Json, controls: list[Json]) -> Iterator[Batch]:
    """Walk the requests of an audit; the newest has comments and evidence."""
    content = cast.content(f"requests {audit['displayName']}")
    identifiers = cast.identifiers(f"requests {audit['displayName']}")
    requests = [
        {
            "id": new_id(identifiers),
            "uniqueId": f"IR-{number}",
            "title": title,
            "description": None,
            "requestType": request_type,
            "approvalStatus": status,
            "cadence": None if request_type == "SAMPLE" else "ANNUALLY",
            "dueDate": audit["auditEndDate"],
            "evidenceCaptureDate": None,
            "requestId": None,
            "additionalControlIds": [control["id"] for control in controls],
            "segmentIds": [audit["segments"][number % 2]["id"]],
            "frameworkCodes": [],
            "ownerAssignment": owner(content.choice(cast.active_users)) if number % 2 else None,
            "creationDate": audit["creationDate"],
            "modificationDate": audit["auditStartDate"],
            "deletionDate": None,
        }
        for number, (title, request_type, status) in enumerate(REQUESTS, start=1)
    ]
    yield "information-requests", audit["id"], requests
    for request in requests:
        yield "request-activity", request["id"], history(audit, identifiers)
    newest = requests[-1]["id"]
    yield "request-comments", newest, comments_on("informationRequestId", newest, audit, identifiers)
    evidence = [piece(name, evidence_type, audit, identifiers) for name, evidence_type in EVIDENCE]
    yield "request-evidence", newest, evidence
    yield "test-snapshots", evidence[-1]["id"], [snapshot(audit, identifiers)]


def owner(user: Json) -> Json:
    """Show the one who answers a request. The lower case of the type is the platform's own."""
    return {"type": "user", "id": user["id"], "displayName": user["displayName"]}


def history(audit: Json, identifiers: Random) -> list[Json]:
    nothing = dict.fromkeys(("oldStatus", "newStatus", "reason", "sourceInformationRequestId", "sourceAuditId"))
    return [
        {"id": new_id(identifiers), "type": activity, "email": AUDITOR, **nothing, "creationDate": audit[date]}
        for activity, date in (("CREATED", "creationDate"), ("UPDATED", "auditStartDate"), ("SHARED", "auditStartDate"))
    ]


def piece(name: str, evidence_type: str, audit: Json, identifiers: Random) -> Json:
    evidence_id = new_id(identifiers)
    is_file = evidence_type == "UPLOADED_DOCUMENT"
    return {
        "id": evidence_id,
        "evidenceType": evidence_type,
        "name": name,
        "description": None,
        "url": f"https://files.platform.example/requests/{evidence_id}" if is_file else None,
        "creationDate": audit["auditStartDate"],
        "modificationDate": None,
        "deletionDate": None,
    }


def snapshot(audit: Json, identifiers: Random) -> Json:
    at = audit["auditStartDate"]
    return {
        "id": new_id(identifiers),
        "testName": "Storage is encrypted",
        "status": "OK",
        "capturedDate": at,
        "apiRequests": [{"method": "GET", "url": "https://api.cloud-harbour.example/buckets", "statusCode": 200, "date": at}],
        "outOfScopeResources": [{"displayName": "bucket-3", "reason": "Holds test data only"}],
    }
