"""Security questionnaires in every status, with the history that led there (platform-api 4.1.3)."""

from datetime import datetime, time, timedelta
from random import Random

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.history import DUE_OFFSETS, build_timeline
from portal.sandbox.seed.shapes import Json, assignment, moment, new_id, pick
from portal.sandbox.seed.stages import FINISHED, PEOPLE_STEPS, kind_of, status_of

STANDARDS = (
    "SIG Lite 2026", "CAIQ v4.0.3", "VSA Core", "HECVAT Lite 3.05", "Vendor security assessment",
    "DORA ICT provider register", "SIG Core 2026 (extract)", "Third-party risk questionnaire",
    "Data protection assessment", "Pen test follow-up", "Cloud outsourcing due diligence", "AI use disclosure",
    "RFP security annex", "Business continuity review",
)  # fmt: skip
LONG_TITLE = (
    "Group-wide third-party information security, privacy, resilience and artificial intelligence due diligence "
    "questionnaire for providers of critical or important functions, including all affiliates (final, version 3)"
)

MAX_TAGS = 4


def build_questionnaires(cast: Cast, *, count: int) -> list[Json]:
    """Make all questionnaires, the oldest first."""
    content, identifiers = cast.content("questionnaires"), cast.identifiers("questionnaires")
    machine_id = new_id(identifiers)
    team = {"type": "Team", "id": new_id(identifiers), "displayName": "Solutions engineering"}
    made = [
        build_questionnaire(cast, number=number, machine_id=machine_id, team=team, content=content, identifiers=identifiers)
        for number in range(count)
    ]
    return sorted(made, key=lambda questionnaire: str(questionnaire["createdDate"]))


def build_questionnaire(cast: Cast, *, number: int, machine_id: str, team: Json, content: Random, identifiers: Random) -> Json:
    """Make one questionnaire. Unset optional fields are absent here, never null (platform-api 1.2)."""
    status = status_of(number, rng=content)
    kind = kind_of(status, rng=content)
    owner, approver = content.sample(cast.active_users, k=2)
    timeline = build_timeline(
        cast, status=status, number=number, kind=kind, people=[owner, approver], machine_id=machine_id, content=content
    )
    questionnaire: Json = {
        "id": new_id(identifiers),
        "displayName": title_of(cast, number=number, content=content),
        "type": kind,
        "status": status,
        "statusLog": timeline.entries,
        "metadata": build_metadata(number, content=content),
        "tagAndCategoryIds": tags_of(cast, number) if content.random() < 0.7 else [],
        "createdDate": moment(timeline.created),
        "updatedDate": moment(timeline.updated),
    }
    if kind == "WEBSITE":
        questionnaire["url"] = f"https://vendors.{cast.customer_of(number).domain}/assessments/{content.randint(10000, 99999)}"
    if status == "COMPLETE":
        questionnaire["completedDate"] = moment(timeline.updated)
    if content.random() < 0.92:
        questionnaire["customerTrustAccountId"] = cast.account_of(number)["id"]
    due = due_date(cast.now, status=status, number=number, created=timeline.created, content=content)
    if due is not None:
        questionnaire["dueDate"] = moment(due)
    add_people(questionnaire, owner=team if number % 17 == 16 else assignment(owner), approver=approver, content=content)
    return questionnaire


def title_of(cast: Cast, *, number: int, content: Random) -> str:
    customer, standard = cast.customer_of(number).name, content.choice(STANDARDS)
    if number == 7:
        return f"{customer}: {LONG_TITLE}"
    if number == 12:
        return f"{customer}: <b>RFP 2026</b> & annex “Sicherheit”"
    return f"{customer}: {standard}"


def tags_of(cast: Cast, number: int) -> list[Json]:
    """Give it the tags of its customer. Some are about more than one region and product."""
    listed = cast.account_of(number)["tagsByCategory"]
    own = [{"categoryId": entry["categoryId"], "tagId": entry["tagIds"][0]} for entry in listed]
    if number % 5 != 2:
        return own
    others = [{"categoryId": category_id, "tagId": tag_id} for category_id, tags in cast.tags for tag_id in tags]
    return [*own, *(tag for tag in others if tag not in own)][:MAX_TAGS]


def build_metadata(number: int, *, content: Random) -> list[Json]:
    """Name the deal. Keys and values may hold letters, digits, hyphen, underscore and dot only (platform-api 4.1.3)."""
    entries = [{"key": "deal", "value": f"D-{4100 + number}"}]
    if content.random() < 0.6:
        entries.append({"key": "opportunity", "value": pick(content, (3, "new-business"), (2, "renewal"), (1, "expansion"))})
    if content.random() < 0.4:
        entries.append({"key": "priority", "value": pick(content, (1, "high"), (2, "normal"))})
    return entries


def due_date(now: datetime, *, status: str, number: int, created: datetime, content: Random) -> datetime | None:
    """Choose a due moment: near the receipt for finished work, around today for open work."""
    if status in FINISHED:
        return None if content.random() < 0.1 else created + timedelta(days=content.randint(7, 21))
    offset = DUE_OFFSETS[number % len(DUE_OFFSETS)]
    if offset is None:
        return None
    if status not in PEOPLE_STEPS:
        offset = abs(offset) + 2  # it has only just arrived
    at = datetime.combine(now.date() + timedelta(days=offset), time(17), tzinfo=now.tzinfo)
    return at.replace(hour=23, minute=30) if offset == 0 and at <= now else at


def add_people(questionnaire: Json, *, owner: Json, approver: Json, content: Random) -> None:
    finished_or_in_review = questionnaire["status"] in FINISHED | {"IN_REVIEW", "READY_FOR_REVIEW"}
    if finished_or_in_review or content.random() < 0.8:
        questionnaire["ownerAssignment"] = owner
    if finished_or_in_review or content.random() < 0.5:
        questionnaire["approverAssignment"] = assignment(approver)
