"""Groups and people (specification 2.1, platform-api 4.6)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    IDS,
    INTEGER,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    ORIGIN,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)
from portal.sandbox.store import Json

OWN = "PLATFORM"
"""The platform's own name where something comes from nowhere else."""
EMPLOYMENT_STATUSES = ("UPCOMING", "CURRENT", "ON_LEAVE", "INACTIVE", "FORMER")
TASK_STATUSES = ("COMPLETE", "DUE_SOON", "OVERDUE", "NONE")
SUMMARY_STATUSES = (
    *("COMPLETE", "DUE_SOON", "NONE", "OFFBOARDING_COMPLETE", "OFFBOARDING_DUE_SOON", "OFFBOARDING_OVERDUE"),
    *("OVERDUE", "PAUSED"),
)
TASKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "completeTrainings": ("COMPLETE_TRAININGS", ("incompleteTrainings", "completedTrainings")),
    "acceptPolicies": ("ACCEPT_POLICIES", ("unacceptedPolicies", "acceptedPolicies")),
    "completeCustomTasks": ("COMPLETE_CUSTOM_TASKS", ("incompleteCustomTasks", "completedCustomTasks")),
    "completeOffboardingCustomTasks": (
        "COMPLETE_CUSTOM_OFFBOARDING_TASKS",
        ("incompleteCustomOffboardingTasks", "completedCustomOffboardingTasks"),
    ),
    "installDeviceMonitoring": ("INSTALL_DEVICE_MONITORING", ()),
    "completeBackgroundChecks": ("COMPLETE_BACKGROUND_CHECKS", ()),
}
"""Every task of a person: its key, its type, and its lists of what is open and what is done (specification 2.1)."""
TASK_TYPES = tuple(task_type for task_type, _ in TASKS.values())
NAMED = array(record(name=STRING))


def task(task_type: str, lists: tuple[str, ...]) -> Json:
    common = record(
        taskType=one_of(task_type),
        status=one_of(*TASK_STATUSES),
        dueDate=MAYBE_MOMENT,
        completionDate=MAYBE_MOMENT,
        disabled=nullable(record(date=MOMENT, reason=MAYBE_STRING)),
    )
    return extended(common, **dict.fromkeys(lists, NAMED))


SOURCE: Json = {
    "anyOf": [
        record(type=one_of(OWN)),
        record(type=one_of("SCIM")),
        record(type=one_of("INTEGRATION"), integrationId=STRING, resourceId=MAYBE_STRING),
    ]
}
PERSON = record(
    id=STRING,
    userId=MAYBE_STRING,
    emailAddress=STRING,
    name=record(display=STRING, first=MAYBE_STRING, last=MAYBE_STRING),
    employment=record(status=one_of(*EMPLOYMENT_STATUSES), jobTitle=MAYBE_STRING, startDate=MOMENT, endDate=MAYBE_MOMENT),
    leaveInfo=nullable(record(startDate=MOMENT, endDate=MAYBE_MOMENT, status=one_of("ACTIVE", "UPCOMING"))),
    groupIds=IDS,
    sources=record(emailAddress=SOURCE, employment=record(startDate=SOURCE, endDate=SOURCE)),
    tasksSummary=record(
        status=one_of(*SUMMARY_STATUSES),
        dueDate=MAYBE_MOMENT,
        completionDate=MAYBE_MOMENT,
        details=record(**{key: task(*facts) for key, facts in TASKS.items()}),
    ),
)
GROUP = record(
    id=STRING,
    name=STRING,
    creationDate=MAYBE_MOMENT,
    description=MAYBE_STRING,
    source=ORIGIN,
    personnelCount=INTEGER,
    pointOfContact=nullable(record(email=STRING, displayName=STRING)),
)
IDP_GROUP = record(id=STRING, name=STRING, integrationId=STRING, externalAccountId=MAYBE_STRING)
GROUPS, PEOPLE, NOT_PEOPLE, IDP_GROUPS = "groups", "people", "not-people", "importable-idp-groups"
KINDS = (
    Kind(name=GROUPS, title="Group", shape=GROUP, by="group_id"),
    Kind(name=PEOPLE, title="Person", shape=PERSON, by="person_id"),
    Kind(name=NOT_PEOPLE, title="Account that is no person", shape=PERSON),
    Kind(name=IDP_GROUPS, title="Identity provider group", shape=IDP_GROUP),
)
