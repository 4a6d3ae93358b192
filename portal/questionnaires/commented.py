"""Questions as something to comment on. Two questionnaires may have questions of one id, so both ids make up the key."""

from collections.abc import Collection, Mapping
from functools import reduce
from operator import or_

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from portal.comments.subjects import Subject, register_subject
from portal.page_refresh.services import touch_areas
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Membership

KIND = "response"


def key_of(response: Response) -> str:
    return f"{_written(response.questionnaire.platform_id)}/{_written(response.platform_id)}"


def ids_of(key: str) -> tuple[str, str]:
    """Return the ids of the questionnaire and of the question."""
    questionnaire_id, _, response_id = key.partition("/")
    return _read(questionnaire_id), _read(response_id)


def _written(platform_id: str) -> str:
    return platform_id.replace("%", "%25").replace("/", "%2F")


def _read(written: str) -> str:
    return written.replace("%2F", "/").replace("%25", "%")


def _titles(keys: Collection[str]) -> Mapping[str, str]:
    pairs = [ids_of(key) for key in keys]
    named = (Q(questionnaire__platform_id=one, platform_id=other) for one, other in pairs)
    rows = Response.objects.filter(reduce(or_, named, Q(pk=None))).select_related("questionnaire")
    found = rows.only("question", "platform_id", "questionnaire__platform_id")
    return {key_of(row): str(row) for row in found}


def _url(slug: str, key: str) -> str:
    return reverse("questionnaires:response", args=[slug, *ids_of(key)])


def _show(key: str, words: str, member: Membership) -> None:
    Questionnaire.objects.filter(platform_id=ids_of(key)[0]).update(touched_at=timezone.now())
    touch_areas("questionnaires")


def register() -> None:
    register_subject(
        Subject(
            kind=KIND,
            label="question",
            titles=_titles,
            url=_url,
            changed=_show,
            target=lambda key: ids_of(key)[1],
            facts=lambda key: {"questionnaire": ids_of(key)[0]},
        )
    )
