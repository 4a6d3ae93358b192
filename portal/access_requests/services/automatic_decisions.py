"""Rules that act by themselves: a verdict becomes a decision that is scheduled like everybody's."""

import time
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.access_requests.facts import documents_known, knowledge_of
from portal.access_requests.models import FULL, PARTIAL, AccessRequest, RuleSwitch, RuleVerdict, Verb
from portal.access_requests.rulebook import Act, Action, Facts, Level, Nda, RuleBook, decide
from portal.access_requests.services.failures import BeingDecided, DecidedElsewhere, RequestGone
from portal.access_requests.services.freshness import staleness_of, staleness_of_tenant
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.rule_verdicts import apply_rules
from portal.access_requests.services.rules import current_book, is_stopped, lock_switch
from portal.access_requests.services.scheduling import RuleMark, schedule_decision
from portal.access_requests.services.terms import Terms
from portal.connections.services import NotConnected, NoTrustCenter
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas

SETTLED = ("SIGNED", "NOT_REQUIRED")
"""An account's NDA with which nobody has to sign another one."""
TURN_SECONDS = TASK_TIME_BUDGET_SECONDS / 3
"""Well below the time for which a message is kept (`lib.enqueue`): those for other tenants are heard as well, turn by turn."""
BATCH = 500


def apply_and_act(*, seconds: float = TURN_SECONDS) -> bool:
    """Give what waits its verdicts and act on them, for one turn; True when there is more to do.

    Half of the turn is left for acting: while facts go on changing, the verdicts are never all there.
    """
    deadline, book = time.monotonic() + seconds, current_book()
    is_more = apply_rules(book, seconds=seconds / 2)
    RuleSwitch.objects.update(turn_at=timezone.now())
    return (not is_stopped() and act_on_verdicts(book, seconds=deadline - time.monotonic())) or is_more


def act_on_verdicts(book: RuleBook, *, seconds: float) -> bool:
    """Do what these rules say by themselves, for one turn; True when there is more to do.

    The next turn goes on behind the last one that was looked at: what has to wait longer keeps no other waiting.
    """
    deadline = time.monotonic() + seconds
    stale = staleness_of_tenant(timezone.now(), with_contracts=book.asks_for_contracts)
    rows = RuleVerdict.objects.to_act().filter(version=book.number).order_by("pk")
    if stale:
        rows = rows.exclude(waits=stale)
    after = RuleSwitch.objects.values_list("acted_after", flat=True).first() or 0
    while batch := list(rows.filter(pk__gt=after)[:BATCH]):
        for verdict in batch:
            if stale:
                _wait(verdict, stale)
            else:
                _act(verdict.pk)
            after = verdict.pk
            if time.monotonic() >= deadline:
                RuleSwitch.objects.update(acted_after=after)
                return True
    RuleSwitch.objects.update(acted_after=0)
    return False


@transaction.atomic
def _act(verdict_id: int) -> None:
    """Schedule the decision of one rule, if everything is as it was when the rule was applied."""
    switch, book = lock_switch(), current_book()
    # Read under the lock: another worker may have acted on it, or the rules that said it may no longer be the newest.
    verdict = RuleVerdict.objects.to_act().filter(pk=verdict_id, version=book.number).first()
    if switch.is_stopped or verdict is None:
        return
    request = AccessRequest.objects.get(pk=verdict.access_request_id)
    facts = knowledge_of([request])[request.pk].facts
    again = decide(book, facts)
    if facts != verdict.as_facts or not again.is_automatic or again.rule is None:
        return  # the next pass gives it another verdict
    if stale := staleness_of(request, account_id=facts.account_id):
        _wait(verdict, stale)
    elif request.decisions.exists():
        # It was undone, rejected, or did not work out: whoever did that knows more than the rule.
        RuleVerdict.objects.filter(pk=verdict.pk).update(is_left=True, waits="")
    else:
        _schedule(verdict, request, again.rule.action, facts)


def _schedule(verdict: RuleVerdict, request: AccessRequest, action: Action, facts: Facts) -> None:
    try:
        schedule_decision(
            request,
            verb=Verb.APPROVE if action.grants else Verb.DENY,
            terms=terms_of(action, request, facts) if action.grants else None,
            reason="" if action.grants else action.reason,
            rule=RuleMark(id=verdict.rule_id, name=verdict.rule_name, version=verdict.version),
            needs_second=action.act == Act.SECOND,
        )
    except (BeingDecided, DecidedElsewhere, RequestGone):
        return
    except (NotConnected, NoTrustCenter):
        _wait(verdict, "The platform is not connected.")
        return
    RuleVerdict.objects.filter(pk=verdict.pk).update(acted_at=timezone.now(), waits="")


def terms_of(action: Action, request: AccessRequest, facts: Facts) -> Terms:
    """What a rule grants to this request."""
    needs_nda = action.nda == Nda.REQUIRED or (action.nda == Nda.UNLESS_SIGNED and facts.account_nda not in SETTLED)
    expires_at = timezone.now() + timedelta(days=action.expiry_days) if action.expiry_days else None
    if action.level == Level.ASKED and request.access_level == FULL:
        return Terms(access_level=FULL, expires_at=expires_at, is_nda_required=needs_nda)
    documents = documents_known()
    granted = documents.asked(request) if action.level == Level.ASKED else documents.harmless(request)
    return Terms(access_level=PARTIAL, resource_ids=tuple(sorted(granted)), expires_at=expires_at, is_nda_required=needs_nda)


@transaction.atomic
def _wait(verdict: RuleVerdict, words: str) -> None:
    """Say on the page why the rule has not acted yet."""
    if verdict.waits == words:
        return
    lock_switch()
    RuleVerdict.objects.filter(pk=verdict.pk).update(waits=words)
    AccessRequest.objects.filter(pk=verdict.access_request_id).update(touched_at=timezone.now())
    touch_areas(AREA)
