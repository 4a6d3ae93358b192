"""Makes audits with their controls, and comments on those (platform-api 4.13)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.kinds.audits.controls import in_scope
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch, Json, moment, new_id, new_uuid, numbers

AUDITOR = "lena.fossgard@fossgard-audit.example"
ENGAGEMENTS = (
    ("SOC 2 Type II 2025", "SOC 2", 500, True),
    ("ISO/IEC 27001 surveillance 2026", "ISO/IEC 27001:2022", 200, True),
    ("SOC 2 Type II 2026", "SOC 2", 60, False),
    ("ISO/IEC 27001 recertification 2026", "ISO/IEC 27001:2022", 20, False),
)
CONTROLS = (
    ("CC6.1", "Access is granted by role", "IDENTIFICATION_&_AUTHENTICATION"),
    ("CC6.2", "Accounts of leavers are removed", "IDENTIFICATION_&_AUTHENTICATION"),
    ("CC7.1", "Vulnerabilities are remediated", "VULNERABILITY_&_PATCH_MANAGEMENT"),
    ("CC7.4", "Incidents are handled by a named team", "INCIDENT_RESPONSE"),
    ("A1.2", "Backups are restored", "BUSINESS_CONTINUITY_&_DISASTER_RECOVERY"),
)
REMARKS = ("Which period does this cover?", "The sample was drawn from the whole population.", "Thank you, this is complete.")


def build_audits(cast: Cast) -> list[Json]:
    """Make the engagements: two are over, two go on."""
    identifiers = cast.identifiers("audits")
    return [
        build_audit(cast, name, framework, days=days, is_over=is_over, identifiers=identifiers)
        for name, framework, days, is_over in ENGAGEMENTS
    ]


def build_audit(cast: Cast, name: str, framework: str, *, days: int, is_over: bool, identifiers: Random) -> Json:
    start = cast.now - timedelta(days=days)
    end = start + timedelta(days=90)
    is_soc2 = framework == "SOC 2"
    segments = [
        {
            "id": new_id(identifiers),
            "kind": kind,
            "displayName": display_name,
            "framework": {"displayName": framework},
            "businessUnit": None,
            "system": {"id": new_id(identifiers), "displayName": display_name} if kind == "SYSTEM" else None,
            "soc2Deliverable": {"reportType": "soc2type2", "tscs": ["SECURITY", "AVAILABILITY"]} if is_soc2 else None,
        }
        for kind, display_name in (("PROGRAM", "Company"), ("SYSTEM", "Product"))
    ]
    tenant = cast.identity.split("/", 1)[1]
    metadata = {"auditorRequestListMetadata": {"requestsSharedWithCustomer": moment(start)}}
    return {
        "id": new_id(identifiers),
        "customerOrganizationName": cast.users[0]["email"].split("@")[1],
        "customerDisplayName": tenant,
        "customerOrganizationId": new_uuid(numbers(f"organization {cast.organization_id}")),
        "auditStartDate": moment(start),
        "auditEndDate": moment(end),
        "earlyAccessStartsAt": moment(start - timedelta(days=14)),
        "framework": framework,
        "displayName": name,
        "allowAuditorEmails": [AUDITOR],
        "allowAllAuditors": not is_soc2,
        "deletionDate": None,
        "creationDate": moment(start - timedelta(days=30)),
        "modificationDate": moment(end if is_over else start),
        "completionDate": moment(end) if is_over else None,
        "auditFocus": "EXTERNAL",
        "segments": segments,
        # The others are run by evidence.
        **({} if is_over else metadata),
    }


def build_controls(cast: Cast, audit: Json) -> list[Json]:
    """Make the controls in scope; in an audit that is over all are assessed."""
    identifiers = cast.identifiers(f"audit controls {audit['displayName']}")
    state = "IN_PLACE" if audit["framework"] == "SOC 2" else "CONFORMING"
    assessment = {"assessmentState": state, "justification": "Evidence was inspected without exception."}
    is_over = audit["completionDate"] is not None
    user = cast.users[0]
    owner = {"id": user["id"], "displayName": user["displayName"], "emailAddress": user["email"]}
    controls: list[Json] = [
        {
            "id": new_id(identifiers),
            "externalId": external_id,
            "name": name,
            "description": f"{name}, as the description of the system says.",
            "source": "Platform",
            "domains": [domain],
            "owner": owner,
            "customFields": [{"label": "Level", "value": "Key"}] if number == 0 else [],
            # A control of the platform's library has no dates.
            "creationDate": None,
            "modificationDate": None,
            "framework": audit["framework"],
            "sections": [{"name": external_id, "framework": audit["framework"], "principle": None}],
            **in_scope(audit),
        }
        for number, (external_id, name, domain) in enumerate(CONTROLS)
    ]
    for control in controls if is_over else ():
        control["assessments"] = [each | assessment for each in control["assessments"]]
    return controls


def build_comments(cast: Cast, audit: Json, controls: list[Json]) -> Iterator[Batch]:
    """Make comments on the last control."""
    identifiers = cast.identifiers(f"control comments {audit['displayName']}")
    control_id = controls[-1]["id"]
    yield "audit-control-comments", control_id, comments_on("controlId", control_id, audit, identifiers)


def comments_on(field: str, owner_id: str, audit: Json, identifiers: Random) -> list[Json]:
    """Make the comments on one thing."""
    return [
        {
            "id": new_id(identifiers),
            field: owner_id,
            "text": text,
            "email": AUDITOR,
            "creationDate": audit["auditStartDate"],
            "modificationDate": None,
            "deletionDate": None,
        }
        for text in REMARKS
    ]
