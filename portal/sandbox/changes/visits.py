"""What visitors of the Trust Center do while the sandbox runs (platform-api 4.5.4, 4.5.11)."""

from portal.sandbox.changes.newcomers import CHOICE
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.seed.showcase_texts import CONVERSATIONS
from portal.sandbox.seed.trust_center import CITIES, PAGES
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant
from portal.sandbox.values import moment, new_id

MAX_PEOPLE = 100


def look_around(sandbox: Sandbox, tenant: Tenant) -> Json:
    """Let somebody with access open a document, or a stranger a page."""
    viewer, documents = visitor(sandbox, tenant), sandbox.objects.all(tenant.id, "resources")
    if viewer and documents and CHOICE.random() < 0.6:
        document = CHOICE.choice(documents)
        event_type = CHOICE.choice(("RESOURCE_VIEW", "RESOURCE_VIEW", "RESOURCE_DOWNLOAD"))
        details = {"resourceId": document["id"], "resourceName": document["title"]}
    else:
        event_type, details = "PAGE_VIEW", {"page": CHOICE.choice(PAGES)}
    city, country = CHOICE.choice(CITIES)
    event = {
        "id": new_id(),
        "date": moment(sandbox.clock.now()),
        "eventType": event_type,
        "details": details,
        "viewerId": viewer["id"] if viewer else None,
        "viewerEmail": viewer["email"] if viewer else None,
        "city": city,
        "countryCode": country,
    }
    return sandbox.objects.add(tenant.id, "activity", event)


def ask(sandbox: Sandbox, tenant: Tenant) -> Json:
    """Let somebody talk with the chatbot."""
    viewer, turns, at = visitor(sandbox, tenant), CHOICE.choice(CONVERSATIONS), moment(sandbox.clock.now())
    conversation: Json = {
        "id": new_id(),
        "firstMessage": turns[0],
        "numMessages": len(turns),
        "userEmail": viewer["email"] if viewer else None,
        "isPublicConversation": viewer is None,
        "createdAt": at,
    }
    sandbox.objects.add(tenant.id, "conversations", conversation)
    for place, text in enumerate(turns):
        role = "ASSISTANT" if place % 2 else "USER"
        message = {"id": new_id(), "role": role, "message": text, "createdAt": at, "references": []}
        sandbox.objects.add(tenant.id, "chatbot-messages", message, parent_id=conversation["id"])
    return conversation


def visitor(sandbox: Sandbox, tenant: Tenant) -> Json | None:
    """Choose somebody with access; one visit in four is a stranger's."""
    viewers = sandbox.objects.all(tenant.id, "viewers", limit=MAX_PEOPLE)
    return CHOICE.choice(viewers) if viewers and CHOICE.random() < 0.75 else None
