"""What the platform sent becomes rows. Runs in the caller's transaction."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from portal.lib.storable import storable
from portal.platform_api.identifiers import MAX_ID_LENGTH, is_identifier
from portal.platform_api.models import risks as remote
from portal.platform_api.models.customer_trust import User
from portal.risks.models import NO_DATE, Issue, IssueOwner, OwnerOfIssue, RiskScenario
from portal.risks.models.choices import CLOSED, MAX_WORD_LENGTH, USER, severity_rank
from portal.risks.models.issues import MAX_NAME_LENGTH
from portal.sync.copies import search_text, sort_key, store_copy
from portal.tenants.erased_people import ERASED, is_erased, without_erased
from portal.tenants.personal_data import fold

MAX_EMAIL_LENGTH = 320
MAX_SCORE = 2**31 - 1
OWNERS_READ_EVERY = timedelta(days=7)
"""People are seldom called otherwise; each of them costs a call."""


def store_issue(fetched: remote.Issue) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    # Texts of fields may be somebody's address.
    found = remote.Issue.read(*without_erased([storable(fetched.raw)]))
    title, readable_id = found.title[:MAX_NAME_LENGTH], found.readable_issue_id[:MAX_WORD_LENGTH]
    severity = found.severity[:MAX_WORD_LENGTH]
    columns = {
        "readable_id": readable_id,
        "title": title,
        "status": found.status[:MAX_WORD_LENGTH],
        "is_open": found.status != CLOSED,
        "severity": severity,
        "severity_rank": severity_rank(severity),
        "source": (found.source.source_type if found.source else "")[:MAX_WORD_LENGTH],
        "detected_at": found.detected_date,
        "due_at": found.due_date,
        "due_sort": found.due_date or NO_DATE,
        "search": search_text(readable_id, title, found.description or ""),
        "payload": found.raw,
    }
    is_changed = store_copy(Issue, found.id, columns)
    return _store_owners(found) or is_changed


def _store_owners(found: remote.Issue) -> bool:
    """Note who owns an issue; True when that changed."""
    owners = [each for each in found.owners if is_identifier(each.owner_id)]
    wanted = {each.owner_id: each.owner_type[:MAX_WORD_LENGTH] for each in owners}
    row = Issue.objects.only("pk").get(platform_id=found.id)
    rows = OwnerOfIssue.objects.filter(issue=row)
    if dict(rows.values_list("owner_id", "owner_type")) == wanted:
        return False
    rows.delete()
    new = [OwnerOfIssue(issue=row, owner_id=each, owner_type=kind) for each, kind in wanted.items()]
    OwnerOfIssue.objects.bulk_create(new)
    return True


def owners_to_read(fetched: Sequence[remote.Issue]) -> set[str]:
    """Return the users who own these issues and of whom nothing is known, or nothing new."""
    named = {owner.owner_id for found in fetched for owner in found.owners if owner.owner_type == USER}
    users = {each for each in named if is_identifier(each)}
    known = IssueOwner.objects.filter(platform_id__in=users, read_at__gte=timezone.now() - OWNERS_READ_EVERY)
    return users - set(known.values_list("platform_id", flat=True))


def store_issue_owner(fetched: User) -> bool:
    """Make the row equal to what was fetched; True when it changed. Of erased people the id alone is kept (guarantee S11)."""
    found = User.read(storable(fetched.raw))
    # The platform does not say since when it knows somebody: who was erased stays so.
    is_gone = is_erased(email=found.email, created_at=None)
    name = "" if is_gone else (found.display_name or found.email)[:MAX_NAME_LENGTH]
    email = "" if is_gone else fold(found.email)[:MAX_EMAIL_LENGTH]
    return _keep_owner(found.id, name=name, folded_email=email)


def forget_issue_owner(user_id: str) -> bool:
    """The platform has no such user any more: keep that, so that nobody asks for them each hour. True when they had a name."""
    return _keep_owner(user_id, name="", folded_email="")


def _keep_owner(user_id: str, **columns: str) -> bool:
    before = IssueOwner.objects.filter(platform_id=user_id).values(*columns).first()
    IssueOwner.objects.update_or_create(platform_id=user_id, defaults={**columns, "read_at": timezone.now()})
    return bool(before != columns)


def store_scenario(fetched: remote.RiskScenario) -> bool:
    """Make the row equal to what was fetched; True when it changed. An owner who was erased is left out (guarantee S11)."""
    found = remote.RiskScenario.read(*without_erased([storable(fetched.raw)]))
    title, register = found.description[:MAX_NAME_LENGTH], (found.risk_register or "")[:MAX_NAME_LENGTH]
    risk_id = (found.risk_id or "")[:MAX_ID_LENGTH]
    owner = "" if found.owner in (None, ERASED) else str(found.owner)[:MAX_EMAIL_LENGTH]
    columns = {
        "risk_id": risk_id,
        "title": title,
        "title_sort": sort_key(title),
        "register": register,
        "review_status": (found.review_status or "")[:MAX_WORD_LENGTH],
        "treatment": (found.treatment or "")[:MAX_WORD_LENGTH],
        "owner": owner,
        "folded_owner": fold(owner),
        "score": score_of(found.likelihood, found.impact),
        "residual_score": score_of(found.residual_likelihood, found.residual_impact),
        "is_sensitive": bool(found.is_sensitive),
        "is_archived": bool(found.is_archived),
        "identified_at": found.identification_date,
        "search": search_of(risk_id, title, owner, found),
        "payload": found.raw,
    }
    return store_copy(RiskScenario, found.id, columns)


def search_of(risk_id: str, title: str, owner: str, found: remote.RiskScenario) -> str:
    return search_text(risk_id, title, owner, found.detailed_description or "", *found.categories)


def score_of(likelihood: float | None, impact: float | None) -> int:
    """Multiply the two; 0 where one is missing."""
    return round(min(max(likelihood * impact, 0), MAX_SCORE)) if likelihood and impact else 0
