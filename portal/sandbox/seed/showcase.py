"""Makes what else the Trust Center shows, and who hears of it (platform-api 4.5.5-4.5.12)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.seed import showcase_texts as texts
from portal.sandbox.seed.cast import Cast, build_person
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id
from portal.sandbox.seed.trust_center import build_resources

SUBSCRIBERS = 12
MIN_CONVERSATIONS, MAX_CONVERSATIONS = 5, 60


def build(cast: Cast) -> Iterator[Batch]:
    """Walk controls, questions, subprocessors, updates, subscribers, conversations and frameworks, the oldest first."""
    content, identifiers = cast.content("showcase"), cast.identifiers("showcase")
    yield "resource-categories", None, [named(name, identifiers) for name in texts.RESOURCE_CATEGORIES]
    yield from build_controls(identifiers)
    yield from build_faqs(identifiers)
    yield "subprocessors", None, [subprocessor(row, identifiers) for row in texts.SUBPROCESSORS]
    yield "updates", None, build_updates(cast, content=content, identifiers=identifiers)
    yield from build_subscribers(cast, content=content, identifiers=identifiers)
    yield from build_conversations(cast, content=content, identifiers=identifiers)
    frameworks = [
        {"id": new_id(identifiers), "name": name, "standard": standard, "description": None}
        for name, standard in texts.FRAMEWORKS
    ]
    yield "trust-center-frameworks", None, frameworks


def named(name: str, identifiers: Random) -> Json:
    return {"id": new_id(identifiers), "name": name}


def build_controls(identifiers: Random) -> Iterator[Batch]:
    categories = {
        name: named(name, identifiers) | {"visibility": "PUBLIC", "statusVisibilityOverride": None} for name in texts.CONTROLS
    }
    yield "control-categories", None, [*categories.values()]
    controls = [
        {"id": new_id(identifiers), "name": title, "description": words, "categories": [categories[name]]}
        for name, rows in texts.CONTROLS.items()
        for title, words in rows
    ]
    yield "trust-center-controls", None, controls


def build_faqs(identifiers: Random) -> Iterator[Batch]:
    categories = {name: named(name, identifiers) for name in texts.FAQS}
    yield "faq-categories", None, [*categories.values()]
    faqs = [
        {"id": new_id(identifiers), "question": question, "answer": answer, "category": categories[name]}
        for name, rows in texts.FAQS.items()
        for question, answer in rows
    ]
    yield "faqs", None, faqs


def subprocessor(row: tuple[str, str, str], identifiers: Random) -> Json:
    name, location, purpose = row
    return {
        "id": new_id(identifiers),
        "name": name,
        "description": None,
        "location": location,
        "purpose": purpose,
        "url": f"https://{name.lower().replace(' ', '-')}.example/",
    }


def build_updates(cast: Cast, *, content: Random, identifiers: Random) -> list[Json]:
    updates = []
    for title, category in texts.UPDATES:
        created = moment(ago(cast.now, content, days=(2, 300)))
        update = {
            "id": new_id(identifiers),
            "title": title,
            "description": f"{title}. Details are in the documents of our Trust Center.",
            "category": category,
            "creationDate": created,
            "updatedDate": created,
            "visibilityType": "PUBLIC",
        }
        updates.append(update)
    return sorted(updates, key=lambda update: str(update["creationDate"]))


def build_subscribers(cast: Cast, *, content: Random, identifiers: Random) -> Iterator[Batch]:
    """Make subscribers and the groups they are in, each naming the other."""
    people = {build_person(cast.customer_of(number), content=content)["email"]: number for number in range(SUBSCRIBERS)}
    created = moment(cast.now - timedelta(days=120))
    groups = [named(name, identifiers) for name in texts.GROUPS]
    members: dict[str, list[str]] = {group["id"]: [] for group in groups}
    subscribers = []
    for email, number in people.items():
        subscriber_id, group = new_id(identifiers), groups[number % len(groups)]
        members[group["id"]].append(subscriber_id)
        subscriber = {
            "id": subscriber_id,
            "email": email,
            "isEmailVerified": content.random() < 0.8,
            "creationDate": created,
            "customerTrustAccountId": cast.account_of(number)["id"] if content.random() < 0.7 else None,
            "groups": [group],
        }
        subscribers.append(subscriber)
    yield "subscribers", None, subscribers
    yield (
        "subscriber-groups",
        None,
        [group | {"subscriberIds": members[group["id"]], "creationDate": created} for group in groups],
    )


def build_conversations(cast: Cast, *, content: Random, identifiers: Random) -> Iterator[Batch]:
    # The same documents as the Trust Center has: they are made of the cast alone.
    resources = build_resources(cast)
    conversations: list[Json] = []
    messages: dict[str, list[Json]] = {}
    count = min(MAX_CONVERSATIONS, max(MIN_CONVERSATIONS, 2 * len(cast.customers) - 12))
    for number in range(count):
        turns = texts.CONVERSATIONS[number % len(texts.CONVERSATIONS)]
        began = ago(cast.now, content, days=(0.5, 40))
        person = build_person(cast.customer_of(number), content=content) if content.random() < 0.7 else None
        conversation: Json = {
            "id": new_id(identifiers),
            "firstMessage": turns[0],
            "numMessages": len(turns),
            "userEmail": person["email"] if person else None,
            "isPublicConversation": person is None,
            "createdAt": moment(began),
        }
        conversations.append(conversation)
        messages[conversation["id"]] = [
            {
                "id": new_id(identifiers),
                "role": "ASSISTANT" if place % 2 else "USER",
                "message": text,
                "createdAt": moment(began + timedelta(seconds=20 * place)),
                "references": [resources[number % len(resources)]["id"]] if place % 2 else [],
            }
            for place, text in enumerate(turns)
        ]
    yield "conversations", None, sorted(conversations, key=lambda each: str(each["createdAt"]))
    for conversation_id, said in messages.items():
        yield "chatbot-messages", conversation_id, said
