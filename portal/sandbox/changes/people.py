"""Who belongs to which group, who works here, and who is a person at all (platform-api 4.6)."""

from portal.sandbox.kinds.people import GROUPS, NOT_PEOPLE, PEOPLE
from portal.sandbox.objects import Clause, Missing
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment


def people_of(sandbox: Sandbox, tenant_id: str, group_id: str) -> list[Json]:
    """Return everybody in a group."""
    inside = Clause(sql="EXISTS (SELECT 1 FROM json_each(body, '$.groupIds') e WHERE e.value = ?)", values=(group_id,))
    return sandbox.objects.all(tenant_id, PEOPLE, where=[inside])


def join(sandbox: Sandbox, tenant_id: str, group_id: str, person_id: str) -> Json:
    """Put a person into a group; one who is there already stays. Raises Missing."""
    person = sandbox.objects.get(tenant_id, PEOPLE, person_id)
    if group_id in person["groupIds"]:
        return person
    return _regrouped(sandbox, tenant_id, group_id, person | {"groupIds": [*person["groupIds"], group_id]})


def leave(sandbox: Sandbox, tenant_id: str, group_id: str, person_id: str) -> Json:
    """Take a person out of a group. Raises Missing, also for one who is not in it."""
    person = sandbox.objects.get(tenant_id, PEOPLE, person_id)
    if group_id not in person["groupIds"]:
        raise Missing(PEOPLE, person_id)
    left = [other for other in person["groupIds"] if other != group_id]
    return _regrouped(sandbox, tenant_id, group_id, person | {"groupIds": left})


def mark(sandbox: Sandbox, tenant_id: str, person_id: str, *, is_person: bool) -> None:
    """Make an account a person, or a person an account that is none; what is so already stays. Raises Missing."""
    wanted, other = (PEOPLE, NOT_PEOPLE) if is_person else (NOT_PEOPLE, PEOPLE)
    try:
        marked = sandbox.objects.get(tenant_id, other, person_id)
    except Missing:
        sandbox.objects.get(tenant_id, wanted, person_id)
        return
    sandbox.objects.delete(tenant_id, other, person_id)
    sandbox.objects.add(tenant_id, wanted, marked)
    for group_id in marked["groupIds"]:
        _recount(sandbox, tenant_id, group_id)


def offboard(sandbox: Sandbox, tenant_id: str, person: Json) -> Json:
    """Let everything be done that somebody who has left leaves behind."""
    person["tasksSummary"] |= {"status": "OFFBOARDING_COMPLETE", "completionDate": moment(sandbox.clock.now())}
    return sandbox.objects.save(tenant_id, PEOPLE, person)


def _regrouped(sandbox: Sandbox, tenant_id: str, group_id: str, person: Json) -> Json:
    sandbox.objects.save(tenant_id, PEOPLE, person)
    _recount(sandbox, tenant_id, group_id)
    return person


def _recount(sandbox: Sandbox, tenant_id: str, group_id: str) -> None:
    group = sandbox.objects.get(tenant_id, GROUPS, group_id)
    sandbox.objects.save(tenant_id, GROUPS, group | {"personnelCount": len(people_of(sandbox, tenant_id, group_id))})
