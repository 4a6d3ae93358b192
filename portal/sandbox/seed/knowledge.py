"""Makes tags, resources of the knowledge base and answers (platform-api 4.3, 4.4)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.question_bank import Question, question_bank
from portal.sandbox.seed.shapes import Batch, Json, ago, assignment, moment, new_id, pick

TAGS = (
    ("Region", ("Europe", "North America", "Asia Pacific")),
    ("Product", ("Core platform", "Analytics", "Mobile")),
)
CONTEXTS = (("EXTERNAL_TRUST_CENTER", "QUESTIONNAIRE"), ("QUESTIONNAIRE",))
DOCUMENTS = (
    "Acceptable use policy",
    "Access control standard",
    "Backup and restore procedure",
    "Change management policy",
    "Cryptography standard",
    "Incident response plan",
    "Secure development guideline",
    "Supplier security policy",
)
PAGES = ("Status page", "Security overview", "Data processing terms", "Subprocessors")
ANSWERS = 24


def build(cast: Cast) -> Iterator[Batch]:
    """Walk tags, resources and answers, the oldest first."""
    identifiers = cast.identifiers("knowledge")
    yield "tag-categories", None, [{"id": ids[0], "displayName": name} for ids, (name, _) in paired(cast)]
    for number, ((category_id, tag_ids), (_, names)) in enumerate(paired(cast)):
        tags = [
            {"id": tag_id, "category": category_id, "displayName": name} for tag_id, name in zip(tag_ids, names, strict=True)
        ]
        yield "tags", category_id, tags
        yield "product-contexts", category_id, [{"id": f"{category_id}:{context}"} for context in CONTEXTS[number]]
    content = cast.content("knowledge")
    resources = [
        *(document(cast, title, content=content, identifiers=identifiers) for title in DOCUMENTS),
        *(webpage(cast, title, content=content, identifiers=identifiers) for title in PAGES),
    ]
    questions = question_bank()[:: max(1, len(question_bank()) // ANSWERS)][:ANSWERS]
    answers = [entry(cast, question, content=content, identifiers=identifiers) for question in questions]
    for made in (resources[1], answers[1]):
        made["ownerAssignment"] = {"type": "Team", "id": new_id(identifiers), "displayName": "Security team"}
    yield "knowledge-resources", None, sorted(resources, key=lambda made: str(made["lastUpdated"]))
    yield "answers", None, sorted(answers, key=lambda made: str(made["lastUpdated"]))


def paired(cast: Cast) -> list[tuple[tuple[str, list[str]], tuple[str, tuple[str, ...]]]]:
    return list(zip(cast.tags, TAGS, strict=True))


def document(cast: Cast, title: str, *, content: Random, identifiers: Random) -> Json:
    return {
        "id": new_id(identifiers),
        "type": "FILE",
        "title": title,
        "description": f"{title}, as approved by management.",
        "customerVisibility": pick(content, (3, "PRIVATE"), (2, "REQUEST_ACCESS"), (1, "PUBLIC"), (1, "SHAREABLE")),
        "downloadPermission": pick(content, (2, "VIEW_ONLY"), (1, "VIEW_AND_DOWNLOAD")),
        "isUsedInQuestionnaires": content.random() < 0.8,
        "categoryId": None,
        **upkeep(cast, content=content),
    }


def webpage(cast: Cast, title: str, *, content: Random, identifiers: Random) -> Json:
    return {
        "id": new_id(identifiers),
        "type": "URL",
        "title": title,
        "description": None,
        "url": f"https://trust.example/{title.lower().replace(' ', '-')}",
        "customerVisibility": pick(content, (2, "PUBLIC"), (1, "PRIVATE")),
        "includeSubPages": content.random() < 0.3,
        "isUsedInQuestionnaires": True,
        "categoryId": None,
        **upkeep(cast, content=content),
    }


def entry(cast: Cast, question: Question, *, content: Random, identifiers: Random) -> Json:
    """Make one answer of the library out of a model answer."""
    words = [", ".join(value) if isinstance(value, list) else str(value) for value in question.values.values()]
    return {
        "id": new_id(identifiers),
        "question": question.text,
        "answer": ". ".join(words),
        **upkeep(cast, content=content),
    }


def upkeep(cast: Cast, *, content: Random) -> Json:
    """Make who looks after something, until when it is good, and when somebody last looked."""
    updated = ago(cast.now, content, days=(1, 300))
    expires = cast.now + timedelta(days=content.uniform(-40, 400)) if content.random() < 0.7 else None
    tags = [{"categoryId": category, "tagId": content.choice(ids)} for category, ids in cast.tags if content.random() < 0.5]
    return {
        "ownerAssignment": assignment(content.choice(cast.active_users)) if content.random() < 0.8 else None,
        "expirationStatus": "EXPIRED" if expires is not None and expires <= cast.now else "CURRENT",
        "expirationDate": None if expires is None else moment(expires),
        "lastVerified": moment(updated) if content.random() < 0.6 else None,
        "lastUpdated": moment(updated),
        "tags": tags,
    }
