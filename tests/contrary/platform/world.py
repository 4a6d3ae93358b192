"""What the platform holds: one organisation, with every object that the portal copies, each as odd as it may be.

Every text that a person reads carries a token of its own, so that a test can tell which objects a page shows.
"""

import copy
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.contrary.platform import values
from tests.contrary.platform.values import spell

type Json = dict[str, Any]

TOKEN = re.compile(r"kq\d{3}")
SLUG = "tc/ü ~1#?"
ORGANIZATION = "Contrary GmbH & Co. <KG>"
EXTRA = {
    "x-note": None,
    "links": [{"rel": "self", "href": "https://x.example/?a=1#b"}],
    "unknownField": {"a": [1, {"b": None}]},
}


class World:
    """The objects by kind and id, in the order in which they were made."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._began_at = self._ticked_at = datetime.now(UTC).replace(microsecond=0)
        self.slug = SLUG
        self.opened_at = self.ago(days=900)
        """Spelled once: the same moment can be spelled in many ways."""
        self.kinds: dict[str, dict[str, Json]] = {}
        self.contexts: dict[str, set[str]] = {}
        self.removed_viewers: set[str] = set()
        self.queued: set[str] = set()
        """The addresses of people whose erasure waits."""
        for make in (
            _users,
            _categories,
            _accounts,
            _resources,
            _faqs,
            _showcase,
            _updates,
            _questionnaires,
            _requests,
            _viewers,
            _contracts,
            _news,
            _library,
        ):
            make(self)

    def name(self, words: str) -> str:
        """Make a text that no other object has."""
        self._counts[""] += 1
        return f"{words} kq{self._counts['']:03}"

    def new_id(self, kind: str) -> str:
        self._counts[kind] += 1
        return values.id_of(kind, self._counts[kind] - 1)

    def ago(self, **span: float) -> str:
        return spell(self._began_at - timedelta(**span))

    def later(self, **span: float) -> str:
        return spell(self._began_at + timedelta(**span))

    def now(self) -> str:
        """Spell the moment that it is: what is made today is not as old as this world."""
        return spell(datetime.now(UTC).replace(microsecond=0))

    def tick(self) -> str:
        """Spell a time after every one before it."""
        self._ticked_at = max(self._ticked_at + timedelta(seconds=1), datetime.now(UTC).replace(microsecond=0))
        return spell(self._ticked_at)

    def add(self, kind: str, /, **fields: Any) -> Json:
        """Make an object; without an id it gets the next odd one."""
        made = {"id": fields.pop("id", None) or self.new_id(kind), **fields, **copy.deepcopy(EXTRA)}
        self.all(kind)[made["id"]] = made
        return made

    def all(self, kind: str) -> dict[str, Json]:
        return self.kinds.setdefault(kind, {})

    def first(self, kind: str, number: int = 0) -> Json:
        return list(self.all(kind).values())[number]

    def find(self, kind: str, /, **wanted: Any) -> Json:
        """Return the first object with these fields. Raises StopIteration."""
        return next(each for each in self.all(kind).values() if all(each.get(name) == value for name, value in wanted.items()))


def responses_of(questionnaire_id: str) -> str:
    """Name the kind of one questionnaire's responses: their ids are its own."""
    return f"responses of {questionnaire_id}"


def _users(world: World) -> None:
    for number in range(4):
        name = world.name("Ünal O'Hara")
        world.add("users", email=f"person{number}@contrary.example", displayName=name, isActive=True)


def _categories(world: World) -> None:
    for number in range(3):
        name = {"displayName": world.name("Category")} if number else {}
        category = world.add("tag-categories", **name)
        category["tags"] = [
            {"id": tag, "category": category["id"], "displayName": world.name("Tag")}
            for tag in ("1", "a/b", "ü ~")[: number + 1]
        ]
        world.contexts[category["id"]] = {"QUESTIONNAIRE", "DOCUMENT_SHARING"} if number == 1 else set()


def _accounts(world: World) -> None:
    for number in range(5):
        created, updated = world.ago(days=200 + number), world.ago(days=10 + number)
        fields: Json = {"name": world.name("Müller & Söhne"), "emailDomain": f"customer{number}.example"}
        if number == 1:
            fields |= {"ndaDetails": None, "accessConfig": None, "customFields": [], "tagsByCategory": []}
        elif number == 2:
            fields |= {"ndaDetails": {"ndaStatus": "PENDING_LEGAL"}, "customFields": [{"label": "Tier", "value": ["A", "B"]}]}
        elif number == 3:
            del fields["name"]  # nothing says that it must be there
        world.add("accounts", createdDate=created, updatedDate=updated, **fields)


def _resources(world: World) -> None:
    for number in range(4):
        title = {"title": world.name("SOC 2 report")} if number != 2 else {}
        world.add("resources", creationDate=world.ago(days=90), isPublic=number == 1, mimeType="", **title)


def _faqs(world: World) -> None:
    for number in range(3):
        world.add("faq-categories", name=world.name("Hösting") if number else "")
    for number in range(4):
        category = world.first("faq-categories", number) if number < 3 else None
        shown = {"category": category and {"id": category["id"], "name": category["name"]}} if number != 1 else {}
        world.add("faqs", question=world.name("Wo liegen <Daten>?"), answer="" if number == 2 else "In der EU.", **shown)


def _showcase(world: World) -> None:
    for number in range(3):
        facts: Json = {"url": "javascript:alert(1)", "location": None} if number == 1 else {"purpose": "Hösting & more"}
        world.add("subprocessors", name=world.name("Nimbus <Cloud>"), **facts)
        world.add("trust-center-frameworks", name=world.name("ISO 27001"), standard=[None, "neverHeardOf", ""][number])
        category = world.add("control-categories", name=world.name("Zugänge") if number else "", visibility="SOMEBODY")
        world.add("trust-center-controls", name=world.name("MFA <everywhere>"), categories=[category] if number else None)
        world.add("controls", name=world.name("Backups") if number else "", externalId=None, owner=None)


def _updates(world: World) -> None:
    for number in range(3):
        group = world.add(
            "subscriber-groups", name=world.name("Bestand & <neu>") if number else "", creationDate=world.ago(days=9)
        )
        fields: Json = {"groups": [group] if number else None, "isEmailVerified": number == 1}
        world.add("subscribers", email=f"reader{number}@customer{number}.example", creationDate=world.ago(days=8), **fields)
        told: Json = {"notifiedEmails": [None, f"reader{number}@customer{number}.example"]} if number else {}
        kinds: Json = {
            "category": ["", "RUMOUR", "SECURITY"][number],
            "visibilityType": ["PUBLIC", "SOMEBODY", "PRIVATE"][number],
        }
        dates = {"creationDate": world.ago(days=7 + number), "updatedDate": world.ago(days=7)}
        world.add("updates", title=world.name("Neuer Bericht <2026>"), description="", **kinds, **dates, **told)


STATUSES = ("IN_PROGRESS", "IN_REVIEW", "WAITING_FOR_THE_MOON", "READY_FOR_REVIEW", "", "COMPLETE", "APPROVED", "ON_HOLD")
SCHEMAS: tuple[Json | None, ...] = (
    {"type": "object", "properties": {"p1": {"type": "string", "title": "Antwort"}, "p/2": {"enum": ["", "Ja", "Nein"]}}},
    {"type": "object", "properties": {"n": {"type": "number", "multipleOf": 0.1}, "t": {"type": ["string", "null"]}}},
    {"type": "object", "properties": {"w": {"type": "wishes", "x-any": True}, "b": {"type": "boolean"}}},
    {"type": "object", "properties": {"m": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}}},
    None,
)
VALUES: tuple[Json | None, ...] = ({"p1": "Yes.", "p/2": "Ja"}, {"n": 0.3, "t": None}, {"w": {"free": 1}}, {}, None)


def _questionnaires(world: World) -> None:
    accounts = list(world.all("accounts"))
    users = list(world.all("users").values())
    for number, status in enumerate(STATUSES):
        fields: Json = {"type": ("DOCUMENT", "SPREADSHEET", "HOLOGRAM")[number % 3]}
        if number % 2 == 0:
            owner = users[number % len(users)]
            fields |= {"ownerAssignment": {"type": "User", "id": owner["id"], "displayName": owner["displayName"]}}
            fields |= {"customerTrustAccountId": accounts[number % len(accounts)], "dueDate": world.later(days=number + 1)}
        made = world.add(
            "questionnaires",
            displayName=world.name("Vendor review"),
            status=status,
            createdDate=world.ago(days=30 + number),
            updatedDate=world.ago(days=3, hours=number),
            **fields,
        )
        if status == "COMPLETE":
            made["completedDate"] = world.ago(days=2)
        if status in ("READY_FOR_REVIEW", "ON_HOLD"):
            # Three that a list may hold as well: without a name, without a type, with nulls for what may be left out.
            made |= {"ownerAssignment": None, "dueDate": None, "metadata": None, "tagAndCategoryIds": None, "statusLog": None}
        if status == "READY_FOR_REVIEW":
            del made["displayName"]
        for place in range(5 if number < 4 else 1):
            _response(world, made["id"], place, is_answered=number > 0)


def _response(world: World, questionnaire_id: str, place: int, *, is_answered: bool) -> None:
    fields: Json = {"sequenceLabel": f"{place + 1}.a"} if place else {}
    if SCHEMAS[place] is not None:
        fields |= {"answerPartsSchema": copy.deepcopy(SCHEMAS[place])}
        fields |= {"answerPartsValues": copy.deepcopy(VALUES[place]) if is_answered or place else {"p1": None, "p/2": None}}
    if place != 3:
        fields |= {"question": world.name("How do you encrypt?")}
    world.add(responses_of(questionnaire_id), id=("1", "q/2", "ü ~?", "%2e%2e", "5" * 60)[place], originType="ORACLE", **fields)


def _requests(world: World) -> None:
    resources = list(world.all("resources"))
    for number in range(7):
        fields: Json = {"companyName": world.name("Käufer AG"), "reason": world.name("We want to buy")}
        if number == 1:
            fields = {"companyName": None, "reason": None}
        elif number == 2:
            fields = {}
        if number % 2:
            fields |= {"requestedResources": [resources[number % len(resources)], "gone/for ever"]}
        if number != 3:
            fields |= {"name": world.name("Zoë Buyer")}
        world.add(
            "access-requests",
            email=f"buyer{number}+tag@customer{number}.example",
            accessLevel=("FULL_ACCESS", "PARTIAL_ACCESS", "READ_THE_COVER_ONLY")[number % 3],
            creationDate=world.ago(days=number, hours=1),
            updatedDate=world.ago(days=number, hours=1),
            **fields,
        )
    for number, outcome in enumerate(("APPROVED", "DENIED", "WITHDRAWN", "")):
        world.add(
            "historical-access-requests",
            email=f"former{number}@customer{number}.example",
            name=world.name("Former Buyer"),
            companyName=world.name("Alte AG"),
            accessLevel="FULL_ACCESS",
            creationDate=world.ago(days=50),
            updatedDate=world.ago(days=40 + number),
            outcome=outcome,
            manualDenialReason=None,
            id=world.new_id("access-requests"),
        )


def _viewers(world: World) -> None:
    accounts = list(world.all("accounts"))
    ndas: tuple[Any, ...] = (
        None,
        {"provider": "ONE_CLICK", "satisfiedDate": world.ago(days=9), "oneClick": None},
        {"provider": "PAPER", "satisfiedDate": None},
    )
    for number in range(5):
        fields: Json = {"name": world.name("Viewer Näme"), "companyName": None} if number != 2 else {}
        world.add(
            "viewers",
            email=f"viewer{number}@customer{number}.example",
            accessLevel="FULL_ACCESS",
            ndaInfo=ndas[number % 3],
            creationDate=world.ago(days=60),
            updatedDate=world.ago(days=20),
            expirationDate=world.later(days=40) if number % 2 else None,
            customerTrustAccountId=accounts[number] if number < 3 else None,
            addedByUser=None,
            **fields,
        )


def _contracts(world: World) -> None:
    accounts = list(world.all("accounts"))
    for number in range(4):
        fields: Json = {"customerTrustAccountId": accounts[number]} if number else {"customerTrustAccountId": None}
        if number != 2:
            fields |= {"name": world.name("Master agreement.pdf")}
        world.add(
            "contracts", externalId=f"erp/{number} ü" if number else None, creationDate=world.ago(days=70 + number), **fields
        )


def _news(world: World) -> None:
    viewers = list(world.all("viewers").values())
    for number in range(8):
        fields: Json = {}
        if number % 2:
            fields = {"viewerId": viewers[number % len(viewers)]["id"], "viewerEmail": viewers[number % len(viewers)]["email"]}
        details = (None, {"page": "MOON"}, {"resourceId": "r/1", "resourceName": world.name("Report")}, {"videoTitle": "V"})
        kind = ("PAGE_VIEW", "RESOURCE_DOWNLOAD", "HUMMED_ALONG", "VIDEO_PLAY")[number % 4]
        world.add("activity", date=world.ago(hours=number + 1), eventType=kind, details=details[number % 4], **fields)
    for number in range(3):
        asked = world.name("Do you encrypt?")
        world.add(
            "conversations", firstMessage=asked, numMessages=2, createdAt=world.ago(days=number, hours=2), userEmail=None
        )["messages"] = [
            {"id": "1", "role": "USER", "message": asked, "createdAt": world.ago(days=number, hours=2), "references": None},
            {
                "id": "2",
                "role": "ORACLE",
                "message": "Yes.",
                "createdAt": world.ago(days=number, hours=1),
                "references": ["r/1"],
            },
        ]


def _library(world: World) -> None:
    for _ in range(3):
        question = world.name("How do you encrypt?")
        world.add("answer-library", question=question, answer="AES.", lastUpdated=world.ago(days=5), expirationStatus="RIPE")
