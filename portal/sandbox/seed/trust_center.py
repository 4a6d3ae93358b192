"""What the Trust Center shows and who looked at it: resources and activity (platform-api 4.5.4, 4.5.5)."""

from datetime import timedelta
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Json, ago, moment, new_id, pick

DOCUMENTS = (
    ("SOC 2 Type II report 2026", "Independent report on security, availability and confidentiality.", False),
    ("ISO/IEC 27001:2022 certificate", "Certificate and statement of applicability.", True),
    ("Penetration test summary 2026", "Executive summary and letter of attestation of the independent tester.", False),
    ("Data processing agreement", "Our standard agreement under Article 28 GDPR.", True),
    ("Information security policy", "Summary of the policy approved by management.", True),
    ("Business continuity and disaster recovery summary", "Objectives and the result of the last test.", False),
    ("CAIQ v4.0.3", "The completed self-assessment of the cloud controls matrix.", False),
    ("Network and data flow diagram", "Customer version of the architecture.", False),
    ("Cyber insurance certificate", "Proof of cover for the current year.", False),
    ("Incident response plan summary", "Roles, levels and times of notification.", False),
    ("Subprocessor list", None, True),
    ("SOC 2 bridge letter", "Covers the time since the last report.", False),
)
AGES_IN_DAYS = {"Cyber insurance certificate": 372, "Penetration test summary 2026": 348}
"""Of what is over, and of what is nearly a year old: something there always is to renew."""
CITIES = (
    ("Frankfurt", "DE"),
    ("Dublin", "IE"),
    ("Leeds", "GB"),
    ("Boston", "US"),
    ("Austin", "US"),
    ("Sydney", "AU"),
    ("Lyon", "FR"),
)
PAGES = ("OVERVIEW", "COMPLIANCE", "CONTROLS", "RESOURCES", "FAQ", "SUBPROCESSORS", "UPDATES", "MEDIA")


def build_resources(cast: Cast) -> list[Json]:
    """Make the documents of the Trust Center (platform-api 4.5.5)."""
    content, identifiers = cast.content("resources"), cast.identifiers("resources")
    resources = []
    for title, description, is_public in DOCUMENTS:
        created = ago(cast.now, content, days=(30, 400))
        if title in AGES_IN_DAYS:
            created = cast.now - timedelta(days=AGES_IN_DAYS[title])
        updated = created + (cast.now - created) * content.random()
        resource = {
            "id": new_id(identifiers),
            "fileName": f"{title.replace('/', '-').replace(' ', '-')}.pdf",
            "title": title,
            "description": description,
            "mimeType": "application/pdf",
            "creationDate": moment(created),
            "updatedDate": moment(updated),
            "isPublic": is_public,
        }
        resources.append(resource)
    return sorted(resources, key=lambda resource: str(resource["creationDate"]))


def build_activity(cast: Cast, *, viewers: list[Json], resources: list[Json]) -> list[Json]:
    """Make visits of a year, most of them lately, the oldest first (platform-api 4.5.4): a quarter of them anonymous."""
    content, identifiers = cast.content("activity"), cast.identifiers("activity")
    events = []
    for _ in range(min(len(viewers) * 12, 4000)):
        # Few people do most of it.
        viewer = viewers[int(len(viewers) * content.random() ** 1.7)] if content.random() < 0.75 else None
        event_type = pick(
            content,
            (6, "PAGE_VIEW"),
            (3, "RESOURCE_VIEW" if viewer else "PAGE_VIEW"),
            (2, "RESOURCE_DOWNLOAD" if viewer else "PAGE_VIEW"),
            (1, "VIDEO_PLAY"),
        )
        city, country = content.choice(CITIES) if content.random() < 0.9 else (None, None)
        event = {
            "id": new_id(identifiers),
            "date": moment(cast.now - timedelta(days=0.01 + 380 * content.random() ** 2)),
            "eventType": event_type,
            "details": event_details(event_type, resources=resources, content=content),
            "viewerId": viewer["id"] if viewer else None,
            "viewerEmail": viewer["email"] if viewer else None,
            "city": city,
            "countryCode": country,
        }
        events.append(event)
    return sorted(events, key=lambda event: str(event["date"]))


def event_details(event_type: str, *, resources: list[Json], content: Random) -> Json:
    if event_type == "PAGE_VIEW":
        return {"page": content.choice(PAGES)}
    if event_type == "VIDEO_PLAY":
        return {"videoTitle": "Our security program in three minutes"}
    resource = content.choice(resources)
    return {"resourceId": resource["id"], "resourceName": resource["title"]}
