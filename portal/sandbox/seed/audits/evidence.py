"""Makes the evidence of an audit, in every status, with files and comments (platform-api 4.13)."""

from collections.abc import Iterator

from portal.sandbox.seed.audits.audits import comments_on
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import mail_name
from portal.sandbox.seed.shapes import Batch, Json, new_id, new_uuid

ITEMS = (
    ("Network diagram", "Evidence Request", "Accepted"),
    ("Access Control Policy", "Policy", "NA"),
    ("Storage is encrypted", "Test", "Flagged"),
    ("Quarterly access review", "Evidence Request", "Not ready for audit"),
    ("Board minutes", "Evidence Request", "Initialized"),
    ("Penetration test report", "Evidence Request", "Ready for audit"),
    ("Multi-factor authentication on cloud accounts", "Test", "Ready for audit"),
)


def build_evidence(cast: Cast, audit: Json, controls: list[Json]) -> Iterator[Batch]:
    """Walk the items of an audit; the last ones have files and comments."""
    identifiers = cast.identifiers(f"audit evidence {audit['displayName']}")
    items = [
        {
            "id": new_id(identifiers),
            "externalId": new_uuid(identifiers),
            "status": status,
            "name": name,
            "description": None,
            "evidenceType": evidence_type,
            "evidenceId": new_id(identifiers),
            "testStatus": "OK" if evidence_type == "Test" else None,
            "relatedControls": [{"name": controls[number % 5]["name"], "sectionNames": [controls[number % 5]["externalId"]]}],
            "creationDate": audit["creationDate"],
            "statusUpdatedDate": audit["auditStartDate"],
            "deletionDate": None,
        }
        for number, (name, evidence_type, status) in enumerate(ITEMS, start=1)
    ]
    author = {"authorName": "Lena Fossgard"}
    yield "audit-evidence", audit["id"], items
    for item in items[-2:]:
        yield "evidence-urls", item["id"], [
            {
                "id": new_id(identifiers),
                "url": "",
                "filename": f"{mail_name(item['name'])}-{number}.pdf",
                "isDownloadable": True,
            }
            for number in range(1, 4)
        ]  # fmt: skip
        comments = comments_on("auditEvidenceId", item["id"], audit, identifiers)
        yield "evidence-comments", item["id"], [comment | author for comment in comments]
