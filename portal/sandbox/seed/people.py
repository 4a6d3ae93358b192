"""Makes people, groups, and groups of an identity provider that could be imported (specification 2.1, platform-api 4.6)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from portal.sandbox.kinds.people import OWN, TASKS
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import FIRST_NAMES, LAST_NAMES, mail_name
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id, pick

DIRECTORY = "company-directory"
PAYROLL = "payroll"
GROUPS = (
    ("Everybody", "All employees.", OWN),
    ("Engineering", "Builds the product.", DIRECTORY),
    ("Customer success", "Looks after customers.", DIRECTORY),
    ("Security team", "Answers questionnaires and runs the program.", OWN),
    ("Contractors", None, OWN),
)
IDP_GROUPS = ("Finance", "People operations", "Field sales", "Data platform", "Executive assistants", "Office Dublin")
JOB_TITLES = ("Engineer", "Account manager", "Analyst", "Designer", "Security engineer", "Team lead", "Recruiter")
ITEMS = {
    "completeTrainings": ("Security awareness", "Privacy basics", "Secure coding"),
    "acceptPolicies": ("Information security policy", "Acceptable use policy", "Code of conduct"),
    "completeCustomTasks": ("Enrol a second factor", "Read the handbook"),
    "completeOffboardingCustomTasks": ("Return the laptop", "Hand over accounts"),
}
MACHINE_ACCOUNTS = ("Build Robot", "Meeting Room", "Scan Station")
PEOPLE_COUNT = 24


def build(cast: Cast) -> Iterator[Batch]:
    """Walk groups, people and what stands beside them, the oldest first."""
    content, identifiers = cast.content("people"), cast.identifiers("people")
    groups = [build_group(cast, *facts, content=content, identifiers=identifiers) for facts in GROUPS]
    people = [
        build_person(cast, number, groups=groups, content=content, identifiers=identifiers) for number in range(PEOPLE_COUNT)
    ]
    little_known(people[-3])
    for group in groups:
        group["personnelCount"] = sum(group["id"] in person["groupIds"] for person in people)
    yield "groups", None, sorted(groups, key=lambda group: str(group["creationDate"]))
    yield "people", None, sorted(people, key=lambda person: str(person["employment"]["startDate"]))
    yield "not-people", None, [build_machine(cast, name, content=content, identifiers=identifiers) for name in MACHINE_ACCOUNTS]
    yield "importable-idp-groups", None, [build_idp_group(name, identifiers=identifiers) for name in IDP_GROUPS]


def build_group(cast: Cast, name: str, description: str | None, source: str, *, content: Random, identifiers: Random) -> Json:
    contact = content.choice(cast.active_users)
    has_contact = content.random() < 0.7
    return {
        "id": new_id(identifiers),
        "name": name,
        "creationDate": moment(ago(cast.now, content, days=(100, 900))),
        "description": description,
        "source": source,
        "personnelCount": 0,
        "pointOfContact": {"email": contact["email"], "displayName": contact["displayName"]} if has_contact else None,
    }


def build_person(cast: Cast, number: int, *, groups: list[Json], content: Random, identifiers: Random) -> Json:
    """Make one employee. The first ones are the users of the tenant; the last two have left."""
    user = cast.users[number] if number < len(cast.users) else None
    name = user["displayName"] if user else f"{content.choice(FIRST_NAMES)} {content.choice(LAST_NAMES)}"
    first, last = name.split(" ", 1)
    has_left = number >= PEOPLE_COUNT - 2 or (user is not None and not user["isActive"])
    domain = cast.users[0]["email"].split("@")[1]
    return {
        "id": new_id(identifiers),
        "userId": user["id"] if user else None,
        "emailAddress": user["email"] if user else f"{mail_name(first)}.{mail_name(last)}@{domain}",
        "name": {"display": name, "first": first, "last": last},
        **employed(cast, has_left=has_left, is_away=number % 9 == 5, content=content),
        "groupIds": [groups[position % len(groups)]["id"] for position in (0, 1 + number % 4)] if groups else [],
        "sources": sources(identifiers),
        "tasksSummary": tasks(cast, has_left=has_left, content=content),
    }


def little_known(person: Json) -> None:
    """Leave of somebody what a directory may not know."""
    person["name"] = {"display": person["name"]["display"], "first": None, "last": None}
    person["employment"]["jobTitle"] = None
    person["sources"]["emailAddress"]["resourceId"] = None


def employed(cast: Cast, *, has_left: bool, is_away: bool, content: Random) -> Json:
    start = ago(cast.now, content, days=(60, 1500))
    away_since = ago(cast.now, content, days=(2, 40))
    status = "FORMER" if has_left else "ON_LEAVE" if is_away else "CURRENT"
    leave = {"startDate": moment(away_since), "endDate": moment(away_since + timedelta(days=90)), "status": "ACTIVE"}
    employment = {
        "status": status,
        "jobTitle": content.choice(JOB_TITLES),
        "startDate": moment(start),
        "endDate": moment(ago(cast.now, content, days=(3, 50))) if has_left else None,
    }
    return {"employment": employment, "leaveInfo": leave if status == "ON_LEAVE" else None}


def sources(identifiers: Random) -> Json:
    def of(integration: str) -> Json:
        return {"type": "INTEGRATION", "integrationId": integration, "resourceId": new_id(identifiers)}

    return {"emailAddress": of(DIRECTORY), "employment": {"startDate": of(PAYROLL), "endDate": {"type": OWN}}}


def tasks(cast: Cast, *, has_left: bool, content: Random) -> Json:
    """Make the tasks of a person and their summary: it is as late as the latest task."""
    due = ago(cast.now, content, days=(-40, 20))
    done = due - timedelta(days=content.uniform(1, 15))
    late = pick(content, (5, "COMPLETE"), (2, "OVERDUE" if due < cast.now else "DUE_SOON"))
    open_key = content.choice([*TASKS]) if late != "COMPLETE" else ""
    details = {key: task(key, late if key == open_key else "COMPLETE", due=due, done=done) for key in TASKS}
    summary = f"OFFBOARDING_{late}" if has_left else late
    completion = moment(done) if late == "COMPLETE" else None
    return {"status": summary, "dueDate": moment(due), "completionDate": completion, "details": details}


def task(key: str, status: str, *, due: datetime, done: datetime) -> Json:
    task_type, lists = TASKS[key]
    names = [{"name": name} for name in ITEMS.get(key, ())]
    is_done = status == "COMPLETE"
    todo = [] if is_done else names[:1]
    common = {
        "taskType": task_type,
        "status": status,
        "dueDate": moment(due),
        "completionDate": moment(done) if is_done else None,
        "disabled": None,
    }
    return common | dict(zip(lists, (todo, names[len(todo) :]), strict=False))


def build_machine(cast: Cast, name: str, *, content: Random, identifiers: Random) -> Json:
    """Make an account that somebody marked as no person."""
    person = build_person(cast, len(cast.users), groups=[], content=content, identifiers=identifiers)
    first, last = name.split(" ")
    address = f"{mail_name(name)}@{cast.users[0]['email'].split('@')[1]}"
    return person | {"emailAddress": address, "name": {"display": name, "first": first, "last": last}}


def build_idp_group(name: str, *, identifiers: Random) -> Json:
    return {"id": new_id(identifiers), "name": name, "integrationId": DIRECTORY, "externalAccountId": None}
