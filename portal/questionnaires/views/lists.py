"""What the list and the board show, for the views that draw them."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from portal.lib.keyset import keyset_page
from portal.questionnaires import selectors
from portal.questionnaires.board import board
from portal.questionnaires.changes import ASKS, Action
from portal.questionnaires.counts import numbers_of
from portal.questionnaires.filters import QuestionnaireFilters
from portal.questionnaires.forms import CHANGE_FORMS
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.questionnaires.models import BulkRun, Intake, Questionnaire
from portal.questionnaires.tag_names import tag_links, tags_of_rows
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role

MAX_RUNS = 3
MAX_INTAKES = 5

type TagLinks = list[dict[str, str]]


def listing(request: TenantRequest, filters: QuestionnaireFilters) -> dict[str, Any]:
    now, is_analyst = timezone.now(), request.membership.may(Role.ANALYST)
    numbers = numbers_of(filters, now=now)
    tabs = selectors.stage_tabs(filters, numbers)
    context: dict[str, Any] = {
        "filters": filters,
        "query": filters.query(),
        "tabs": tabs,
        "matching": next((tab["count"] for tab in tabs if tab["is_current"]), 0),
        "has_any": bool(numbers.by_status) or Questionnaire.objects.exists(),
        "readiness": readiness(QUESTIONNAIRE),
        "runs": BulkRun.objects.filter(finished_at=None)[:MAX_RUNS],
        "intakes": Intake.objects.shown(now)[:MAX_INTAKES] if is_analyst else [],
        "is_analyst": is_analyst,
        "actions": [(action, Action(action).label + ("…" if action in ASKS else "")) for action in CHANGE_FORMS],
        "due_url": filters.link(sort="due"),
        "updated_url": filters.link(sort="updated"),
        "all_url": filters.link(stage="all"),
        "list_url": filters.link(view=""),
        "board_url": filters.link(view="board"),
    }
    if filters.is_board:
        return context | {"columns": board(filters, numbers, now=now)}
    rows = filters.rows(now=now).defer("payload", "search")
    page = keyset_page(rows, order_by=filters.order_by, cursor=request.GET.get("cursor"))
    return context | {"page": page, "rows": _with_tags(page.rows, filters)}


def _with_tags(rows: Sequence[Questionnaire], filters: QuestionnaireFilters) -> list[tuple[Questionnaire, TagLinks]]:
    """Give each questionnaire with its tags, which lead to this list narrowed to them."""
    tags = tags_of_rows(rows)
    return [(row, tag_links(tags[row.pk], lambda key: filters.link(tag=key))) for row in rows]
