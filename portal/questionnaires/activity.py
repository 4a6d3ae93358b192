"""What happened to a questionnaire and its answers: the platform's log of statuses, and every audit row of this portal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime

from portal.audit.models import Entry
from portal.audit.services import history
from portal.comments import activity as comments
from portal.lib.keyset import KeysetPage, keyset_page
from portal.questionnaires.answers import person_name
from portal.questionnaires.expert_requests import in_words
from portal.questionnaires.models import ExpertLink, Questionnaire, Response
from portal.questionnaires.stages import status_label
from portal.users.dates import in_form

NEWEST_FIRST: Final = ("-id",)
MAX_TEXT: Final = 400
LOOKS: Final[Mapping[str, tuple[str, str]]] = {
    **comments.ICONS,
    "questionnaire.status": ("arrow-right-left", "info"),
    "questionnaire.approve_unchanged": ("check", "good"),
    "response.answer": ("pen-line", "info"),
    "response.approved": ("check", "good"),
    "response.returned": ("undo-2", "warn"),
    "response.undo": ("undo-2", "muted"),
    "response.expert.answer": ("message-square-text", "good"),
    "response.expert.ask": ("send", "info"),
    "response.expert.take_back": ("undo-2", "warn"),
}
"""Icon and tone of an action."""
BY_EXPERT: Final = ("response.expert.answer", "response.expert.take_back")
"""What somebody outside did by their link."""
OTHER_LOOK: Final = ("user-round-check", "muted")
UNCONFIRMED_LOOK: Final = ("circle-question-mark", "warn")


@dataclass(frozen=True)
class ActivityPage:
    """One page of what happened, newest first."""

    events: list[dict[str, Any]]
    page: KeysetPage[Entry]
    """The audit rows of it, for the pager."""


def activity_page(questionnaire: Questionnaire, *, cursor: str = "") -> ActivityPage:
    """Give one page of audit rows, with what the platform's log says of the same time."""
    keys = _entry_keys(questionnaire)
    page = keyset_page(Entry.objects.filter(pk__in=keys), order_by=NEWEST_FIRST, cursor=cursor)
    first, last = (page.rows[0], page.rows[-1]) if page.rows else (None, None)
    newer_id = min((key for key in keys if first and key > first.pk), default=None)
    newer = Entry.objects.filter(pk=newer_id).first() if newer_id else None
    since = last.at if last and page.next_cursor else None
    logged = [event for event in _status_log(questionnaire) if _is_between(event["at"], since, newer.at if newer else None)]
    experts = _experts_of(page.rows)
    events = [as_event(entry, expert=experts.get(entry.details.get("link"))) for entry in page.rows]
    return ActivityPage(sorted([*logged, *events], key=lambda event: event["at"], reverse=True), page)


def answer_history(response: Response) -> list[dict[str, Any]]:
    """What happened to one answer here, newest first."""
    entries = [entry for entry in history("response", response.platform_id) if _is_of(entry, response)]
    experts = _experts_of(entries)
    return [as_event(entry, expert=experts.get(entry.details.get("link"))) for entry in entries]


def as_event(entry: Entry, *, expert: ExpertLink | None = None) -> dict[str, Any]:
    """Show one audit row. Whose link it was and what they wrote is read from the link: it can be erased, the row cannot."""
    action = entry.action
    icon, tone = UNCONFIRMED_LOOK if action.endswith("_unconfirmed") else LOOKS.get(action, OTHER_LOOK)
    title = f"{entry.who}: {entry.summary}"
    if action in BY_EXPERT:
        title = f"{expert or 'Someone outside'}: {entry.summary}"
    elif expert and action.startswith("response.expert."):
        title = f"{title} · {expert}"
    texts = [_change_of(entry), str(entry.details.get("reason", "")), _text_of(entry, expert)]
    return {"title": title, "text": " · ".join(filter(None, texts))[:MAX_TEXT], "at": entry.at, "icon": icon, "tone": tone}


def _entry_keys(questionnaire: Questionnaire) -> list[int]:
    """Find the rows of a questionnaire and of its answers, by the index on what a row is about."""
    own = Entry.objects.filter(target_kind="questionnaire", target_id=questionnaire.platform_id)
    ids = Response.objects.filter(questionnaire=questionnaire).order_by().values_list("platform_id", flat=True)
    of_answers = Entry.objects.filter(
        target_kind="response",
        target_id__in=set(ids),
        details__questionnaire=questionnaire.platform_id,
    )
    return [key for rows in (own, of_answers) for key in rows.order_by().values_list("pk", flat=True)]


def _is_of(entry: Entry, response: Response) -> bool:
    """Say whether a row is about this answer: two questionnaires may have answers of one id."""
    return bool(entry.details.get("questionnaire") == response.questionnaire.platform_id)


def _status_log(questionnaire: Questionnaire) -> list[dict[str, Any]]:
    return [
        {
            "title": f"{status_label(change.status)}: set by {person_name(change.updated_by) or 'the platform'}",
            "text": change.message or "",
            "at": change.updated_at,
            "icon": "arrow-right-left",
            "tone": "info",
        }
        for change in questionnaire.remote.status_log
    ]


def _is_between(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or at > since) and (until is None or at <= until)


def _experts_of(entries: Iterable[Entry]) -> dict[object, ExpertLink]:
    keys = {entry.details["link"] for entry in entries if isinstance(entry.details.get("link"), int)}
    rows = ExpertLink.objects.filter(Q(pk__in=keys)).select_related("response") if keys else []
    return {link.pk: link for link in rows}


def _text_of(entry: Entry, expert: ExpertLink | None) -> str:
    """What the expert was told, or wrote last."""
    if expert and entry.action == "response.expert.ask":
        return expert.note
    if expert and expert.answered_at and entry.action == "response.expert.answer":
        return (
            "; ".join(f"{label}: {text}" for label, text in in_words(expert.response, expert.values))
            or "The answer is right as it was"
        )
    return ""


def _change_of(entry: Entry) -> str:
    """Say what a change made of what, as far as the row knows."""
    if parts := entry.details.get("parts"):
        return " · ".join(f"{part['before'] or 'empty'} → {part['after'] or 'empty'}" for part in parts)
    if "before" not in entry.details or "after" not in entry.details:
        return ""
    before, after = (_value(entry, entry.details[name]) for name in ("before", "after"))
    return f"{before} → {after}"


def _value(entry: Entry, value: object) -> str:
    text = str(value or "")
    if entry.action.startswith("questionnaire.status"):
        return status_label(text)
    if entry.action in ("questionnaire.due", "response.due") and (at := parse_datetime(text)):
        return date_format(localtime(at), in_form("j M Y"))
    return text or "none"
