"""Makes the people, groups, computers, accounts and vendors of an audited organization (platform-api 4.13)."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from portal.sandbox.kinds.audits.organization import CHECKS, NO_TASKS, TASK_COUNTS, TASKS, TASKS_DONE, TASKS_LATE
from portal.sandbox.kinds.people import OWN
from portal.sandbox.seed.audits.legacy import GROUPS, with_id
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import company
from portal.sandbox.seed.shapes import Batch, Json, moment

SERVICES = ("Cloud Harbour", "Codeloft", "Payroll Pier")
LEVELS = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
WATCHER = "Gatehouse Identity"


def build(cast: Cast, audit: Json, identifiers: Random) -> Iterator[Batch]:
    """Walk personnel and managed vendors."""
    groups = [
        with_id(
            identifiers,
            name=name,
            members=4,
            source=OWN.capitalize() if number else WATCHER,
            tasks=[{"name": "Security awareness"}],
            tasksLastUpdated=audit["auditStartDate"],
            pointOfContact=cast.users[number]["displayName"] if number else None,
        )
        for number, name in enumerate(GROUPS)
    ]
    services = [
        with_id(identifiers, credentialDisplayName=f"{name}, production", service=name, subAccountId=None) for name in SERVICES
    ]
    for kind, bodies in {
        "personnel-groups": groups,
        "personnel-people": [build_person(cast, number, groups, identifiers) for number in range(len(cast.users))],
        "personnel-computers": [build_computer(cast, number, identifiers) for number in range(4)],
        "account-services": services,
        "managed-vendors": [build_vendor(cast, number, identifiers) for number in range(len(LEVELS))],
    }.items():
        yield kind, audit["id"], bodies
    for service in services:
        yield "service-accounts", service["id"], [build_account(cast, number, identifiers) for number in range(4)]


def build_person(cast: Cast, number: int, groups: list[Json], identifiers: Random) -> Json:
    user, group = cast.users[number], groups[number % len(groups)]
    start = cast.now - timedelta(days=400 + number)
    due = moment(start + timedelta(days=30))
    is_late, has_left = number == 1, not user["isActive"]
    done = {"status": TASKS_DONE, "dueDate": due, "completionDate": due}
    late = {"status": TASKS_LATE, "dueDate": due, "completionDate": None}
    none = {"status": NO_TASKS, "dueDate": None, "completionDate": None}
    tasks = dict.fromkeys(TASKS[:-1], done) | {TASKS[0]: late if is_late else done, TASKS[-1]: none}
    counts = dict(zip(TASK_COUNTS, (len(TASKS) - 1 - is_late, int(is_late), 0), strict=True))
    return with_id(
        identifiers,
        name=user["displayName"],
        email=user["email"],
        jobTitle=None,
        employmentStatus="PREVIOUSLY_EMPLOYED" if has_left else "CURRENTLY_EMPLOYED",
        startDate=start.date().isoformat(),
        endDate=(cast.now - timedelta(days=9)).date().isoformat() if has_left else None,
        groups=[{"name": group["name"]}],
        groupIds=[group["id"]],
        source={"mainSource": WATCHER, "supplementarySource": None},
        taskStatus=(late if is_late else done) | counts,
        lastReminded=moment(cast.now - timedelta(days=5)) if is_late else None,
        **tasks,
    )


def build_computer(cast: Cast, number: int, identifiers: Random) -> Json:
    user = cast.users[number]
    return with_id(
        identifiers,
        deviceName=f"laptop-{number}",
        osPlatform=("darwin", "windows", "linux")[number % 3],
        osVersion="15.5" if number % 3 == 0 else None,
        owner={"id": user["id"], "name": user["displayName"]},
        monitoredBy=WATCHER if number else None,
        **(dict.fromkeys(CHECKS, "PASS") if number else dict.fromkeys(CHECKS, "NA")),
        unmonitoredReason=None
        if number
        else {"unsupportedOsVersion": "10.13", "unsupportedOsType": None, "unsupportedAgentVersion": None},
    )


def build_account(cast: Cast, number: int, identifiers: Random) -> Json:
    user = cast.users[number]
    is_off = number == 3
    return with_id(
        identifiers,
        accountName=user["email"],
        owner=user["displayName"] if number else None,
        role=["Member"] if number else ["Robot"],
        status="DEACTIVATED" if is_off else "ACTIVE",
        mfa=bool(number) if not is_off else None,
        createdDate=moment(cast.now - timedelta(days=300)),
        deactivatedDate=moment(cast.now - timedelta(days=30)) if is_off else None,
    )


def build_vendor(cast: Cast, number: int, identifiers: Random) -> Json:
    return with_id(
        identifiers,
        name=company(number + 30).name,
        inherentRisk=LEVELS[number],
        status="ACTIVE" if number else "ARCHIVED",
        findings=number,
        lastReviewedCompleted=moment(cast.now - timedelta(days=90 + number)),
        nextSecurityReviewDueDate=moment(cast.now + timedelta(days=275 - number)) if number else None,
        vendorCategory="Cloud hosting" if number else None,
        residualRisk=LEVELS[-1] if number else None,
        dataAgreements={"total": 2, "complete": 1} if number else None,
    )
