"""What the review tab shows: one answer at a time, its neighbours, how far the review is."""

from collections.abc import Mapping
from typing import Any, Final

from portal.audit.models import Entry
from portal.lib.counted import counted
from portal.questionnaires import four_eyes
from portal.questionnaires.counts import response_numbers
from portal.questionnaires.memory import approved_before
from portal.questionnaires.models import REVIEW_LISTS, Questionnaire, Response, ResponseQuerySet, Review, Standing
from portal.questionnaires.selectors import RESPONSE_ORDER, ahead_of, behind, first_id, unread
from portal.questionnaires.services import seen_of
from portal.tenants.models import Membership

LABELS: Final = {"": "To review", "changed": "Changed since", "returned": "Returned", "approved": "Approved", "all": "All"}
MAX_VERDICTS = 10


def list_named(name: str) -> str:
    """Which list an address asks for; one that does not exist means those that are to be reviewed."""
    return name if name in REVIEW_LISTS else ""


def rows_of(questionnaire: Questionnaire, show: str = "all") -> ResponseQuerySet:
    return Response.objects.present().filter(questionnaire=questionnaire).reviewed().filter(REVIEW_LISTS[show])


def first_of(questionnaire: Questionnaire, show: str) -> str | None:
    """The id of the first question of a list."""
    return first_id(rows_of(questionnaire, show).order_by(*RESPONSE_ORDER))


def neighbours(response: Response, show: str) -> dict[str, str | None]:
    """The ids of the questions before and behind one in a list, and of the one that comes when this one is left."""
    rows = rows_of(response.questionnaire, show)
    after = first_id(rows.filter(behind(response)).order_by(*RESPONSE_ORDER))
    return {
        "previous_id": first_id(rows.filter(ahead_of(response)).order_by("-position", "-id")),
        "next_id": after,
        "skip_id": after or first_id(rows.exclude(pk=response.pk).order_by(*RESPONSE_ORDER)),
    }


def progress(questionnaire: Questionnaire) -> dict[str, int]:
    """How many answers stand where, and how many of them were reviewed."""
    by_standing = response_numbers(questionnaire).by_standing
    return {
        **by_standing,
        "all": sum(by_standing.values()),
        "reviewed": by_standing[Standing.APPROVED] + by_standing[Standing.RETURNED],
        "": by_standing[Standing.OPEN] + by_standing[Standing.CHANGED],
    }


def tabs(numbers: Mapping[str, int], *, show: str, url: str) -> list[dict[str, Any]]:
    return [
        {"label": label, "count": numbers[key], "url": f"{url}?show={key}" if key else url, "is_current": key == show}
        for key, label in LABELS.items()
    ]


def still_open(questionnaire: Questionnaire, numbers: Mapping[str, int], *, url: str) -> list[tuple[str, str]]:
    """Say what an approval of the whole questionnaire would pass over, each with the address that shows it, if one does."""
    found = [
        (numbers[""], "not reviewed", url),
        (numbers[Standing.RETURNED], "returned and not changed since", f"{url}?show=returned"),
        (numbers[Standing.WAITING], "without a finished answer", f"{url}?show=all"),
    ]
    return [(words, "") for words in unread(questionnaire)] + [
        (f"{counted(number, 'question is', 'questions are')} {what}", at) for number, what, at in found if number
    ]


def card(response: Response, *, member: Membership) -> dict[str, Any]:
    """Everything a reviewer needs to know of one answer."""
    verdicts = list(Review.objects.filter(response=response)[:MAX_VERDICTS])
    newest = next((each for each in verdicts if each.is_newest), None)
    before = approved_before(response)
    return {
        "response": response,
        "newest": newest,
        "verdicts": verdicts,
        "seen": seen_of(response, newest),
        "last_edit": last_edit(response),
        "same_before": next((row for row in before if row.answer_digest == response.answer_digest), None),
        "other_before": [row for row in before if row.answer_digest != response.answer_digest],
        "own_answer": four_eyes.own_answer(response, member),
    }


def last_edit(response: Response) -> Entry | None:
    """Who saved the answer here last, and when; the platform tells no times."""
    edits = Entry.objects.filter(target_kind="response", target_id=response.platform_id, action__in=four_eyes.EDITS)
    return edits.first()


def last_verdict_of(member: Membership, questionnaire: Questionnaire) -> Review | None:
    """What this person could take back: their last word here, unless somebody has decided since."""
    said = Review.objects.standing().of_person(member.user).of_questionnaire(questionnaire)
    last = said.select_related("response").defer("response__payload").first()
    return last if last and last.is_newest else None
