"""What the history says about decisions. The person's name and address stay out of it: nobody can erase it."""

from typing import Any

from portal.access_requests.models import AccessRequest, Decision, Verb
from portal.audit.models import Entry, Source
from portal.audit.services import new_entry, record, record_all
from portal.users.models import User

NOUNS = {Verb.APPROVE.value: "the approval", Verb.DENY.value: "the denial"}


def record_decision(action: str, decision: Decision, sentence: str, *, actor: User | None = None, **details: Any) -> None:
    """Record something about a decision. The first `{}` in the sentence stands for the decision itself."""
    record_all([decision_entry(action, decision, sentence, actor=actor, **details)])


def decision_entry(action: str, decision: Decision, sentence: str, *, actor: User | None = None, **details: Any) -> Entry:
    """Return what `record_decision` writes, for those who write many together."""
    what = f"{NOUNS[decision.verb]} of the access request from {company_of(decision)}"
    actor = actor or decision.decided_by
    return new_entry(
        f"access_request.{action}",
        target=("access_request", decision.access_request.platform_id),
        # Not by `format`: names of people and rules stand in the sentence, and braces in them are no places to fill in.
        summary=sentence.replace("{}", what, 1),
        actor=actor,
        source=source_of(decision, actor),
        details=details,
    )


def record_decision_done(decision: Decision) -> None:
    """Record who or what decided, on which terms, knowing what, and when."""
    by = f" by the rule “{decision.rule_name}”, version {decision.rule_version}" if decision.rule_name else ""
    second = f", confirmed by {decision.second_by_name}" if decision.second_by_name else ""
    record(
        f"access_request.{decision.verb}",
        target=("access_request", decision.access_request.platform_id),
        summary=f"{Verb(decision.verb).label} the access request from {company_of(decision)}{by}{second}.",
        actor=decision.decided_by,
        source=source_of(decision, decision.decided_by),
        details={
            "terms": decision.terms,
            "facts": decision.facts,
            "decided_at": decision.created_at.isoformat(),
            "rule": {"name": decision.rule_name, "version": decision.rule_version} if decision.rule_name else None,
            "second": decision.second_by_name,
        },
    )


def record_decided_elsewhere(row: AccessRequest) -> None:
    record(
        "access_request.decided_elsewhere",
        target=("access_request", row.platform_id),
        summary=f"{row.outcome_label} directly on the platform.",
        source=Source.SYNC,
    )


def source_of(decision: Decision, actor: User | None) -> Source:
    if actor:
        return Source.PERSON
    return Source.RULE if decision.is_by_rule else Source.SYSTEM


def company_of(decision: Decision) -> str:
    return str(decision.facts.get("company") or decision.facts.get("domain") or "somebody")[:150]
