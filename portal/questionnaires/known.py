"""What this desk tells the others of a customer."""

from collections.abc import Mapping, Set

from django.db.models import Count, Q

from portal.accounts.known import Known
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.stages import FINISHED


def questionnaires_of(account_ids: Set[str]) -> Mapping[str, Known]:
    """Count the questionnaires of accounts, and those that are finished."""
    rows = Questionnaire.objects.present().filter(account_id__in=account_ids).order_by().values("account_id")
    found = {}
    for row in rows.annotate(number=Count("id"), finished=Count("id", filter=Q(status__in=FINISHED))):
        number, finished = row["number"], row["finished"]
        words = f"{number} questionnaire{'' if number == 1 else 's'}, {finished or 'none'} finished"
        found[row["account_id"]] = Known(number=number, finished=finished, words=words)
    return found
