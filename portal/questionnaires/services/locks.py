"""In which order the rows of a questionnaire are locked."""

from collections.abc import Iterable

from portal.lib.database import in_order
from portal.questionnaires.models import Questionnaire


def lock_questionnaires(keys: Iterable[int]) -> None:
    """Lock questionnaires, before anything of their responses and drafted answers is changed. Call it in a transaction.

    Whoever stores a list of responses begins here too: the other way round, the two would wait for each other.
    """
    rows = Questionnaire.objects.filter(pk__in={*keys}).select_for_update().order_by(in_order("platform_id"))
    list(rows.values_list("pk", flat=True))
