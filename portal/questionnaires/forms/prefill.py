"""What stands in the form of a new questionnaire when one is handed in again."""

from typing import Any

from django.utils import timezone

from portal.accounts.tags import tags_in
from portal.questionnaires.forms.intake import TELLS_APART
from portal.questionnaires.models import Intake, Questionnaire


def typed_again(intake: Intake) -> dict[str, Any]:
    """What stood in the form of an intake; the file has to be chosen again."""
    return {**intake.typed, "name": intake.name}


def typed_like(questionnaire: Questionnaire) -> dict[str, Any]:
    """What can be told again of a questionnaire that is here. What has passed, and who is gone, falls out of the form."""
    remote = questionnaire.remote
    due_on = timezone.localdate(questionnaire.due_at) if questionnaire.due_at else None
    approver = remote.approver_assignment
    return {
        "url": questionnaire.safe_url,
        "name": questionnaire.name,
        "account_id": questionnaire.account_id,
        "due_on": due_on if due_on and due_on >= timezone.localdate() else None,
        "owner": questionnaire.owner_id,
        "approver": approver.id if approver else "",
        "metadata": questionnaire.metadata,
        "tags": [TELLS_APART.join(tag) for tag in tags_in(remote.tag_and_category_ids)],
    }
