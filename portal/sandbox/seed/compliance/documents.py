"""Makes documents with their links and uploads (specification 2.3, platform-api 4.11)."""

from collections.abc import Iterator
from datetime import timedelta

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import DOCUMENTS
from portal.sandbox.seed.names import mail_name
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id, pick

STATUSES = ("OK", "OK", "Needs document", "OK", "Needs update", "OK", "Not relevant", "OK")


def build_documents(cast: Cast) -> list[Json]:
    """Make the documents, whose ids are readable (platform-api 1.2). Every status occurs."""
    content = cast.content("documents")
    documents = []
    for number, (title, description, category, cadence) in enumerate(DOCUMENTS):
        status = STATUSES[number % len(STATUSES)]
        is_idle = status == "Not relevant"
        changed = ago(cast.now, content, days=(5, 80))
        document = {
            "id": mail_name(title),
            "ownerId": content.choice(cast.active_users)["id"] if content.random() < 0.8 else None,
            "category": category,
            "title": title,
            "description": description,
            "isSensitive": number % 3 == 1,
            "uploadStatus": status,
            "uploadStatusDate": None if status == "Needs document" else moment(changed),
            "url": None,
            "deactivatedStatus": {
                "isDeactivated": is_idle,
                "reason": "Not part of the scope" if is_idle else None,
                "creationDate": moment(changed) if is_idle else None,
                "expiration": None,
            },
            "note": None,
            "nextRenewalDate": moment(cast.now + timedelta(days=content.uniform(5, 300))) if status == "OK" else None,
            "renewalCadence": cadence,
            "reminderWindow": pick(content, (3, "P1M"), (1, "P1W"), (1, None)),
            "subscribers": [],
        }
        documents.append(document)
    return documents


def build_attached(cast: Cast, documents: list[Json]) -> Iterator[Batch]:
    """Make three uploads for every document that is not missing its own, and three links."""
    content, identifiers = cast.content("uploads"), cast.identifiers("uploads")
    for document in documents:
        if document["uploadStatus"] != "Needs document":
            yield (
                "uploads",
                document["id"],
                [
                    build_upload(
                        cast,
                        document,
                        upload_id=new_id(identifiers),
                        days=days,
                        user_id=content.choice(cast.active_users)["id"],
                    )
                    for days in (300, 160, 40)
                ],
            )
        yield "links", document["id"], [
            {
                "id": new_id(identifiers),
                "url": f"https://wiki.{cast.organization_id[-6:]}.example/{document['id']}/{number}",
                "title": f"{document['title']}, page {number}",
                "description": "",
                "effectiveDate": None,
                "creationDate": moment(cast.now - timedelta(days=50 - number)),
            }
            for number in range(1, 4)
        ]  # fmt: skip


def build_upload(cast: Cast, document: Json, *, upload_id: str, days: int, user_id: str) -> Json:
    """Make a file that somebody uploaded in the platform's own application so many days ago; the oldest is deleted."""
    uploaded = cast.now - timedelta(days=days)
    return {
        "id": upload_id,
        "fileName": f"{document['id']}-{uploaded:%Y-%m}.pdf",
        "title": document["title"],
        "description": None if days > 100 else "Current version.",
        "url": None,
        "mimeType": "application/pdf",
        "uploadedBy": {"id": user_id, "type": "USER"},
        "creationDate": moment(uploaded),
        "updatedDate": moment(uploaded),
        "effectiveDate": moment(uploaded - timedelta(days=3)),
        "deletionDate": moment(cast.now - timedelta(days=150)) if days == 300 else None,
    }
