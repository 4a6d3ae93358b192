"""Saving an answer: read it fresh, refuse to write over somebody else's change, send only the parts that changed."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api import models as remote
from portal.platform_writes.outcomes import OutcomeUnknown, check_shown, refetching, write_and_verify
from portal.questionnaires.answers import Answer
from portal.questionnaires.models import Response
from portal.questionnaires.services.stale_requests import ask_for_questionnaire, ask_for_responses
from portal.questionnaires.services.store import store_response
from portal.tenants.models import Membership, Role


class AnswerConflict(Exception):
    """The answer is another one than the one the form was rendered from. Nothing was written."""

    def __init__(self, response: Response) -> None:
        super().__init__("the answer has changed meanwhile")
        self.response = response
        """As it is on the platform now."""


class ResponseGone(Exception):
    """The platform says that it has no such response."""


def update_answer(
    response: Response,
    *,
    member: Membership,
    seen: str,
    parts: Mapping[str, Any],
    client: Platform | None = None,
    then: Callable[[Response], object] = lambda saved: None,
) -> Response:
    """Write the changed parts of an answer; `seen` is the fingerprint of the answer the person had before them.

    `then` is given the saved answer, in the transaction that writes it down.
    Raises AnswerConflict, ResponseGone, OutcomeUnknown, NotConnected or a PlatformError; the person's text is the caller's
    to keep.
    """
    if not member.may(Role.ANALYST):
        raise PermissionDenied
    responses = (client or client_for(Urgency.PERSON)).questionnaires.responses
    ids = (response.questionnaire.platform_id, response.platform_id)
    try:
        with refetching(lambda: check_later(response), gone=ResponseGone):
            fresh, current = fetch_response(responses, ids, response)
            # Read once: an answer may have hundreds of parts.
            answer = current.answer
            wanted = {part: value for part, value in parts.items() if not has_value(answer, part, value)}
            if not wanted:
                with transaction.atomic():
                    then(current)
                return current
            if answer.fingerprint != seen:
                raise AnswerConflict(current)
            after, saved = write_and_verify(
                write=lambda: responses.update(*ids, wanted),
                fetch=lambda: fetch_response(responses, ids, response),
                is_done=lambda found: holds(found[0], wanted),
            )
            is_held = holds(after, wanted)
            check_shown(Answer(after).fingerprint, before=Answer(fresh).fingerprint, is_done=is_held)
    except OutcomeUnknown:
        record_attempt(response, member=member)
        raise
    with transaction.atomic():
        record_answer(saved, before=Answer(fresh), wanted=wanted, member=member, kept=is_held)
        then(saved)
    return saved


def fetch_response(responses: Any, ids: tuple[str, str], response: Response) -> tuple[remote.Response, Response]:
    """Read one response from the platform and store it."""
    asked_at = timezone.now()
    fetched = remote.Response.read(storable(responses.get(*ids).raw))
    with transaction.atomic():
        stored = store_response(response.questionnaire, fetched, asked_at=asked_at)
        if stored.payload != response.payload:
            touch_areas("questionnaires")
    return fetched, stored


def has_value(answer: Answer, part_id: str, wanted: Any) -> bool:
    """Say whether a part of an answer holds a value already."""
    return answer.part(part_id).is_same(answer.values.get(part_id), wanted)


def holds(fetched: remote.Response, wanted: Mapping[str, Any]) -> bool:
    answer = Answer(fetched)
    return all(has_value(answer, part_id, value) for part_id, value in wanted.items())


def record_answer(saved: Response, *, before: Answer, wanted: Mapping[str, Any], member: Membership, kept: bool) -> None:
    summary = f"Answered “{saved.question[:150]}”" if not before.is_given else f"Changed the answer to “{saved.question[:150]}”"
    record(
        "response.answer",
        target=("response", saved.platform_id),
        summary=summary,
        actor=member.user,
        details={
            "questionnaire": saved.questionnaire.platform_id,
            "parts": [
                {"part": part_id, "before": before.part(part_id).text, "after": before.part(part_id).read(value)}
                for part_id, value in wanted.items()
            ],
            "changed_again_at_once": not kept,
        },
    )
    touch_areas("questionnaires")


def record_attempt(response: Response, *, member: Membership) -> None:
    """Nobody knows whether it was saved: if it was, it is this person's (`four_eyes`)."""
    record(
        "response.answer_unconfirmed",
        target=("response", response.platform_id),
        summary=f"Sent an answer to “{response.question[:150]}” that the platform did not confirm",
        actor=member.user,
        details={"questionnaire": response.questionnaire.platform_id},
    )


def check_later(response: Response) -> None:
    ask_for_questionnaire(response.questionnaire)
    ask_for_responses(response.questionnaire)
