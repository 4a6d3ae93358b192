"""How questionnaires and their responses are fetched, stored and found gone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from portal.accounts.tags import ask_for_names, tags_in
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.platform_api.errors import NotFound, PermissionRefused, PlatformError, Unreadable, ValidationFailed
from portal.platform_api.paging import Collected, collect, describe, whole_list
from portal.questionnaires.models import Questionnaire, QuestionnaireTag
from portal.questionnaires.services import labels, owners, store
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many

AREA = "questionnaires"
QUESTIONNAIRE, RESPONSES = "questionnaire", "responses"


@dataclass(frozen=True)
class FetchedResponses:
    """The responses of one questionnaire as far as they could be read, and when the platform was asked for them."""

    questionnaire_id: str
    asked_at: datetime
    found: Collected[remote.Response]


def fetch_questionnaire(client: Platform, questionnaire_id: str) -> remote.Questionnaire:
    return client.questionnaires.get(questionnaire_id)


def page_of_questionnaires(client: Platform, cursor: str | None) -> Page[remote.Questionnaire]:
    return client.questionnaires.all.page(cursor)


def mark_responses(fetched: Sequence[remote.Questionnaire]) -> None:
    """Have the responses read again of those that are other ones than before: no event tells of new questions."""
    mark_many(RESPONSES, store.whose_responses_are_old(fetched))


def mark_what_belongs(fetched: Sequence[remote.Questionnaire]) -> None:
    """Have read what questionnaires name and do not hold: their responses, and what their tags are called."""
    mark_responses(fetched)
    ask_for_names({tag for one in fetched for tag in tags_in(one.tag_and_category_ids)})


def has_questionnaire(questionnaire_id: str) -> bool:
    return Questionnaire.objects.filter(platform_id=questionnaire_id).exists()


def mark_questionnaire_gone(questionnaire_id: str) -> bool:
    now = timezone.now()
    rows = Questionnaire.objects.present().filter(platform_id=questionnaire_id)
    QuestionnaireTag.objects.filter(questionnaire__in=rows).delete()
    return bool(rows.update(gone_at=now, touched_at=now))


def known_questionnaires() -> set[str]:
    return set(Questionnaire.objects.present().values_list("platform_id", flat=True))


def fetch_responses(client: Platform, questionnaire_id: str) -> FetchedResponses:
    """Read the responses of a questionnaire. Raises NotFound only where the platform has no such questionnaire."""
    asked_at = timezone.now()
    listed = client.questionnaires.responses.all
    try:
        found = collect(lambda cursor: listed.page(cursor, questionnaire_id))
    except NotFound as error:
        client.questionnaires.get(questionnaire_id)
        problem = "the platform has the questionnaire, but says that it has no questions of it"
        raise Unreadable("GET", error.path_template, model=remote.Response.__name__, problem=problem) from error
    return FetchedResponses(questionnaire_id, asked_at, found)


def save_responses(fetched: FetchedResponses) -> bool:
    return store.store_responses(fetched.questionnaire_id, fetched.found, asked_at=fetched.asked_at)


@dataclass(frozen=True)
class FetchedOwners:
    """Who can own or approve a questionnaire, by the role that the platform was asked for, and when it was asked."""

    asked_at: datetime
    lists: dict[str, Page[remote.AssignableUser]]

    @property
    def problem(self) -> str:
        return describe([unread for listed in self.lists.values() for unread in listed.unread])


def fetch_owners(client: Platform, _: str) -> FetchedOwners:
    """Ask for both lists. Raises why the platform gives neither of them."""
    asked_at, lists, refusals = timezone.now(), dict[str, Page[remote.AssignableUser]](), list[PlatformError]()
    for role in owners.ROLES:
        try:
            lists[role] = whole_list(client.questionnaires.assignable_users(role=role))
        except (NotFound, PermissionRefused, ValidationFailed) as error:
            # A company without the advanced feature has no approvers (platform-api 4.1.4), but owners.
            refusals.append(error)
    if not lists:
        raise refusals[-1]
    return FetchedOwners(asked_at, lists)


def save_owners(fetched: FetchedOwners) -> bool:
    return owners.store_owners(fetched.lists, asked_at=fetched.asked_at)


MIRRORS = (
    Mirror(
        kind=QUESTIONNAIRE,
        names=names_of_rows(Questionnaire),
        title="Questionnaires",
        area=AREA,
        fetch=fetch_questionnaire,
        before_save=mark_what_belongs,
        save=store.store_questionnaire,
        mark_gone=mark_questionnaire_gone,
        has=has_questionnaire,
        page=page_of_questionnaires,
        known=known_questionnaires,
    ),
    Mirror(
        kind=RESPONSES,
        names=names_of_rows(Questionnaire),
        title="Questions and answers",
        area=AREA,
        is_bulk=True,
        fetch=fetch_responses,
        save=save_responses,
        # The platform knows neither its responses nor the questionnaire itself.
        mark_gone=mark_questionnaire_gone,
        has=has_questionnaire,
        identify=lambda fetched: fetched.questionnaire_id,
        problem=lambda fetched: fetched.found.problem,
    ),
    Mirror(
        kind=owners.OWNERS,
        title="People who can own or approve questionnaires",
        area=AREA,
        fetch=fetch_owners,
        save=save_owners,
        mark_gone=lambda _: False,
        identify=lambda _: owners.ALL_OF_THEM,
        problem=lambda fetched: fetched.problem,
    ),
    Mirror(
        kind=labels.LABELS,
        title="Names of accounts and tags",
        area=AREA,
        fetch=labels.fetch_labels,
        save=labels.store_labels,
        mark_gone=lambda _: False,
        identify=lambda _: labels.ALL_OF_THEM,
    ),
)
