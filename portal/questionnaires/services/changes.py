"""One change of a questionnaire: owner, approver, due date, hold, not ours. A person's click and a bulk run go the same way."""

from collections.abc import Callable
from typing import Any

from portal.lib.unnamed import named
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import PermissionRefused
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.questionnaires.services.decisions import NotAllowed, move, status_details
from portal.questionnaires.services.notifications import tell_assigned
from portal.tenants.models import Membership, Role

NO_APPROVERS = (
    "The platform did not accept the approver, and nothing was changed. It has approvers only for companies with its "
    "advanced questionnaire feature, and only for connections that may change questionnaires."
)
"""The specification names the feature (platform-api 4.1.4); how a company without it is refused stands nowhere."""


def change_questionnaire(
    questionnaire: Questionnaire,
    *,
    member: Membership,
    change: Change,
    client: Platform | None = None,
    checks_before_retry: bool = False,
    then: Callable[[], object] = lambda: None,
) -> Questionnaire:
    """Make a change on the platform and here. Raises what `move` raises."""

    def tell_and_end() -> None:
        tell_assigned(questionnaire, change, member=member)
        then()

    return move(
        questionnaire,
        member=member,
        role=Role.ANALYST,
        wanted=change.wanted,
        seen_in=change.seen_in,
        seen_here=change.seen_here,
        write=lambda client: _write(client, questionnaire.platform_id, change),
        summary=change.sentence(str(questionnaire)[:200]),
        kind=change.kind,
        details=_details_of(change),
        client=client,
        checks_before_retry=checks_before_retry,
        then=tell_and_end,
    )


def _write(client: Platform, questionnaire_id: str, change: Change) -> None:
    """Send a change. Raises NotAllowed where the platform takes no approvers of this tenant."""
    try:
        after = client.questionnaires.update(questionnaire_id, **change.body())
    except PermissionRefused as error:
        if change.names_approver:
            raise NotAllowed(NO_APPROVERS) from error
        raise
    if change.names_approver and not change.is_done(after):
        raise NotAllowed(NO_APPROVERS)


def taking(member: Membership) -> Change:
    """Make the change that gives questionnaires to this person. Raises NotAllowed as `person_of` does."""
    person = person_of(member)
    return Change(action=Action.TAKE, owner_id=person.platform_id, owner_name=person.name)


def taking_review(member: Membership) -> Change:
    """Make the change that makes this person the approver. Raises NotAllowed as `person_of` does."""
    person = person_of(member, to_approve=True)
    return Change(action=Action.APPROVER, owner_id=person.platform_id, owner_name=person.name)


def person_of(member: Membership, *, to_approve: bool = False) -> AssignableUser:
    """Find whom the platform knows this member as, among those who can own questionnaires or approve them.

    The portal and the platform share only the name of a person. Raises NotAllowed when it fits nobody, or several.
    """
    name, people = member.user.name, AssignableUser.objects.approvers() if to_approve else AssignableUser.objects.owners()
    can, instead = ("approve questionnaires", "Name approver") if to_approve else ("own questionnaires", "Assign owner")
    found = list(people.named(name)[:2])
    if len(found) == 1:
        return found[0]
    if found:
        raise NotAllowed(f"The platform lists several people called {name}. Choose the right one under {instead}.")
    if not people.exists():
        raise NotAllowed(f"The list of people who can {can} has not been read yet. Try again in a moment.")
    raise NotAllowed(f"The platform lists no one called {name} who can {can}. Assign them to someone else.")


def _details_of(change: Change) -> Callable[[Questionnaire, remote.Questionnaire], dict[str, str]]:
    def of_owner(before: Questionnaire, after: remote.Questionnaire) -> dict[str, str]:
        owner = after.owner_assignment
        return {"before": before.owner_name, "after": named(owner.display_name) if owner else ""}

    def of_approver(before: Questionnaire, after: remote.Questionnaire) -> dict[str, str]:
        approver = after.approver_assignment
        return {"before": before.approver_name, "after": named(approver.display_name) if approver else ""}

    def of_due(before: Questionnaire, after: remote.Questionnaire) -> dict[str, str]:
        return {"before": _written(before.due_at), "after": _written(after.due_date)}

    if change.gives_owner:
        return of_owner
    if change.names_approver:
        return of_approver
    return of_due if change.action == Action.DUE else status_details


def _written(at: Any) -> str:
    return at.isoformat() if at else ""
