"""What the pages of the desk show, over several rows and models."""

from typing import Any

from django.db.models import Q

from portal.lib.counted import counted
from portal.lib.keyset import KeysetPage, cursor_after, keyset_page
from portal.library.themes import theme_titles
from portal.questionnaires.counts import Numbers, all_numbers, response_numbers
from portal.questionnaires.filters import ALL, MAX_OWNERS, OPEN, OWNERS, THEMES, QuestionnaireFilters, ResponseFilters
from portal.questionnaires.models import (
    LISTS,
    Draft,
    Questionnaire,
    Response,
    ResponseQuerySet,
)
from portal.questionnaires.stages import FINISHED, OTHER, STAGES, stage_of

RESPONSE_TABS = (
    ("", "All"),
    ("unanswered", "Unanswered"),
    ("drafted", "Drafted"),
    ("answered", "To approve"),
    ("changed", "Changed"),
    ("approved", "Approved"),
    ("returned", "Returned"),
    ("asked", "Asked"),
    ("pending", "Being written"),
    ("mine", "Mine"),
)
RARE_TABS = frozenset({"drafted", "returned", "asked", "pending", "mine"})
"""Shown only while there is something in them."""
RESPONSE_ORDER = ("position", "id")
LIST_SIZE = 50
"""Rows of a page of the list: who goes on from one to the next finds the list where it was."""


def open_count() -> int:
    return sum(number for status, number in all_numbers().by_status.items() if status not in FINISHED)


def stage_tabs(filters: QuestionnaireFilters, numbers: Numbers) -> list[dict[str, Any]]:
    """Tabs with the number of questionnaires in each; a stage that is empty is left out unless it is the open one."""
    by_stage: dict[str, list[str]] = {}
    for status in numbers.by_status:
        by_stage.setdefault(stage_of(status).key, []).append(status)
    is_open = [status for status in numbers.by_status if status not in FINISHED]
    stages = [(stage.key, stage.label, by_stage.get(stage.key, [])) for stage in (*STAGES, OTHER)]
    tabs = [(OPEN, "Open", is_open), *stages, (ALL, "All", [*numbers.by_status])]
    return [
        {
            "key": key,
            "label": label,
            "count": numbers.of(statuses),
            "url": filters.link(stage=key),
            "is_current": key == filters.stage,
        }
        for key, label, statuses in tabs
        if statuses or key in (OPEN, ALL, filters.stage)
    ]


def response_tabs(questionnaire: Questionnaire, filters: ResponseFilters, *, me: str) -> list[dict[str, Any]]:
    """Tabs of the list beside the answer; the counts are those of the whole questionnaire."""
    counted = response_numbers(questionnaire)
    numbers = {**counted.by_list, "mine": counted.of_person(me)}
    tabs = [tab for tab in RESPONSE_TABS if tab[0] not in RARE_TABS or numbers[tab[0]] or filters.show == tab[0]]
    return [
        {"label": label, "count": numbers[key or "all"], "url": filters.link(show=key), "is_current": key == filters.show}
        for key, label in tabs
    ]


def unread(questionnaire: Questionnaire) -> list[str]:
    """Say what is not known of its questions yet: no count of them stands for what nobody has read (guarantee R3)."""
    if questionnaire.responses_synced_at is None:
        return ["The questions have not been read yet"]
    if questionnaire.unread_count:
        return [f"{counted(questionnaire.unread_count, 'question')} could not be read"]
    return [] if questionnaire.question_count else ["No questions yet"]


def blockers(questionnaire: Questionnaire) -> list[tuple[str, str]]:
    """Say what a reviewer would stumble over, each with the list of questions that shows it (nothing where there is none)."""
    drafts = Draft.objects.filter(response__questionnaire=questionnaire, response__gone_at=None)
    returned = response_numbers(questionnaire).by_list["returned"]
    found = [
        (questionnaire.unanswered_count, "without an answer", "?show=unanswered"),
        (questionnaire.pending_count, "that the platform is still answering", "?show=pending"),
        (returned, "returned by a reviewer and not changed since", "?show=returned"),
        (drafts.values("response").distinct().count(), "with an unsaved draft", ""),
    ]
    told = [(words, "") for words in unread(questionnaire)]
    told += [(f"{counted(number, 'question')} {what}", query) for number, what, query in found if number]
    return told if questionnaire.approver_name else [*told, ("No approver assigned", "")]


def response_owners(questionnaire: Questionnaire, filters: ResponseFilters) -> dict[str, Any]:
    owners = {owner_id: name for owner_id, name, _ in response_numbers(questionnaire).owners[:MAX_OWNERS]}
    return {"name": "owner", "label": "Owner", "value": filters.owner, "options": [*(OWNERS | owners).items()]}


def response_themes(questionnaire: Questionnaire, filters: ResponseFilters) -> dict[str, Any]:
    """The themes that questions of it have, each with their number in the whole questionnaire."""
    counts = response_numbers(questionnaire).by_theme
    shown = {key: f"{title} ({counts[key]})" for key, title in theme_titles().items() if counts.get(key)}
    if filters.theme:
        shown.setdefault(filters.theme, theme_titles()[filters.theme])
    return {"name": "theme", "label": "Theme", "value": filters.theme, "options": [*(THEMES | shown).items()]}


def question_list(
    questionnaire: Questionnaire, filters: ResponseFilters, *, me: str, response: Response | None, cursor: str
) -> dict[str, Any]:
    """The list of questions with its tabs and filters, and the neighbours of the open one in it."""
    rows = filters.narrow(Response.objects.present().filter(questionnaire=questionnaire).reviewed(), me=me)
    tabs = response_tabs(questionnaire, filters, me=me)
    return {
        "filters": filters,
        "tabs": tabs,
        "matching": number_of(rows, filters, tabs),
        "selects": [response_owners(questionnaire, filters), response_themes(questionnaire, filters)],
        "page": list_around(rows, cursor=cursor, response=response),
        "previous_id": response and first_id(rows.filter(ahead_of(response)).order_by("-position", "-id")),
        "next_id": response and first_id(rows.filter(behind(response)).order_by(*RESPONSE_ORDER)),
    }


def number_of(rows: ResponseQuerySet, filters: ResponseFilters, tabs: list[dict[str, Any]]) -> int:
    """How many questions the filters show: the tabs have counted them unless the search or a person narrows them."""
    if filters.q or filters.owner or filters.theme:
        return rows.count()
    return next((int(tab["count"]) for tab in tabs if tab["is_current"]), 0)


def behind(response: Response) -> Q:
    return Q(position__gt=response.position) | Q(position=response.position, pk__gt=response.pk)


def ahead_of(response: Response) -> Q:
    return Q(position__lt=response.position) | Q(position=response.position, pk__lt=response.pk)


def first_id(rows: ResponseQuerySet) -> str | None:
    return rows.values_list("platform_id", flat=True).first()


def next_unanswered(response: Response, *, only_drafted: bool = False) -> Response | None:
    """The next question that a person has to answer: behind this one, or else from the top again."""
    rows = Response.objects.present().filter(questionnaire=response.questionnaire, is_answered=False, is_pending=False)
    if only_drafted:
        rows = rows.filter(LISTS["drafted"])
    rows = rows.select_related("questionnaire").exclude(pk=response.pk).order_by(*RESPONSE_ORDER)
    return rows.filter(behind(response)).first() or rows.first()


def list_around(rows: ResponseQuerySet, *, cursor: str, response: Response | None) -> KeysetPage[Response]:
    """Give a page of the list; without a cursor the one with the open question, the same whichever question of it is open."""
    if response and not cursor:
        above = rows.filter(ahead_of(response)).count() // LIST_SIZE * LIST_SIZE
        before = rows.order_by(*RESPONSE_ORDER)[above - 1 : above] if above else ()
        cursor = next((cursor_after(row, order_by=RESPONSE_ORDER) for row in before), "")
    return keyset_page(rows.defer("payload"), order_by=RESPONSE_ORDER, cursor=cursor, size=LIST_SIZE)
