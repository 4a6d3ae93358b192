"""Turning the model on and off, and having it rewrite an answer. A call is written down whatever came of it."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.language_model.models import AREA, MAX_QUESTION_LENGTH, ModelCall, ModelSwitch, Outcome
from portal.language_model.prompts import Sentence, Unreadable, messages_for, sentences_of
from portal.language_model.redaction import PLACEHOLDER, Redaction
from portal.language_model.selectors import is_on, tokens_left
from portal.language_model.support import supported
from portal.language_model.wire import NoAnswer, ask
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

MAX_SENT = 12_000
"""Letters of the sources of one call: more cost much and help little."""
MAX_KEPT = 8_000
KEPT_FOR = timedelta(days=90)
MAX_PRUNED = 5_000


class NotRewritten(Exception):
    """The answer stays as it was found. `outcome` says why; none where the model was not asked at all."""

    def __init__(self, outcome: Outcome | None = None) -> None:
        super().__init__(outcome.label if outcome else "The model was not asked.")
        self.outcome = outcome


@dataclass(frozen=True, kw_only=True)
class Wish:
    """An answer that is to be put into other words."""

    question: str
    passages: Sequence[str]
    """What was said before; a sentence of the answer names them by their places."""
    asked_for: str = ""
    """By whom, for the record."""


@transaction.atomic
def switch(*, to: bool, member: Membership) -> None:
    """Let the tenant's texts go to the model, or no longer. Raises PermissionDenied."""
    if not member.may(Role.OWNER):
        raise PermissionDenied
    name = str(member.user)[:120]
    ModelSwitch.objects.update_or_create(
        tenant=member.tenant, defaults={"is_on": to, "changed_at": timezone.now(), "changed_by_name": name}
    )
    words = "Turned on the language model." if to else "Turned off the language model."
    record(
        f"language_model.{'on' if to else 'off'}", target=("tenant", str(member.tenant_id)), summary=words, actor=member.user
    )
    touch_areas(AREA)


def rewrite(wish: Wish) -> list[Sentence]:
    """Return the sentences of an answer, each supported by the sources that it names. Raises NotRewritten.

    Call it outside of a transaction: it waits for the network.
    """
    passages, model = _within(wish.passages), settings.LANGUAGE_MODEL
    if model is None or not any(passages) or not is_on() or not tokens_left():
        raise NotRewritten
    redaction = Redaction([wish.question, *passages])
    messages = messages_for(redaction.hide(wish.question), [redaction.hide(each) for each in passages])
    # As it was sent: what a person reads here is what left.
    call = ModelCall(
        question=wish.question[:MAX_QUESTION_LENGTH], asked_for=wish.asked_for[:120], sent=json.dumps(messages[1:])
    )
    started = time.monotonic()
    try:
        answer = ask(messages, model)
        call.answered, call.tokens = answer.text[:MAX_KEPT], answer.tokens
        written = sentences_of(answer.text, number=len(passages))
    except (NoAnswer, Unreadable) as error:
        outcome = error.outcome if isinstance(error, NoAnswer) else Outcome.UNREADABLE
        _keep(call, outcome, started)
        raise NotRewritten(outcome) from None
    restored = [replace(each, text=redaction.put_back(each.text)) for each in written]
    found = supported([each for each in restored if not PLACEHOLDER.search(each.text)], passages)
    _keep(call, Outcome.USED if found else Outcome.UNSUPPORTED, started)
    if not found:
        raise NotRewritten(Outcome.UNSUPPORTED)
    return found


def prune_calls() -> int:
    """Delete old records of calls of every tenant; return how many."""
    with all_tenants("old calls of the language model are deleted for every tenant"):
        old = ModelCall.objects.filter(at__lt=timezone.now() - KEPT_FOR).order_by("pk").values_list("pk", flat=True)
        number, _ = ModelCall.objects.filter(pk__in=list(old[:MAX_PRUNED])).delete()
    return number


def show_calls() -> None:
    """Have the open pages of calls draw themselves anew."""
    touch_areas(AREA)


def _within(passages: Sequence[str]) -> list[str]:
    """Return the first passages, as many as one call may carry; none is cut."""
    taken, room = list[str](), MAX_SENT
    for passage in passages:
        room -= len(passage)
        if room < 0:
            break
        taken.append(passage)
    return taken


def _keep(call: ModelCall, outcome: Outcome, started: float) -> None:
    call.outcome, call.seconds = outcome, round(time.monotonic() - started, 2)
    call.question, call.answered = storable_text(call.question), storable_text(call.answered)
    with transaction.atomic():
        call.save()
        show_calls()
