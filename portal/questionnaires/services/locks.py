"""In which order the rows of a questionnaire are locked."""

from collections.abc import Iterable

from portal.questionnaires.models import Questionnaire
from portal.sync.copies import lock_in_order


def lock_questionnaires(keys: Iterable[int]) -> None:
    """Lock questionnaires, before anything of their responses and drafted answers is changed. Call it in a transaction.

    Whoever stores a list of responses begins here too: the other way round, the two would wait for each other.
    """
    lock_in_order(Questionnaire.objects.filter(pk__in={*keys}))
