"""What we promise when nobody asks for more, and which promises deviate from it."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.commitments.comparison import Promise, compare
from portal.commitments.models import Commitment, Standard, Term, Verdict
from portal.commitments.selectors import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

STANDARD = "commitment_standard"
"""The kind of a standard in the history."""


class StandardChanged(Exception):
    """Somebody was faster."""

    def __init__(self, standard: Standard | None) -> None:
        super().__init__("Someone else changed this standard.")
        self.standard = standard


@transaction.atomic
def set_standard(term: Term, promise: Promise, *, seen: str, member: Membership) -> Standard:
    """Say what our standard is, and compare every promise of this term with it. Raises StandardChanged."""
    before = _lock(term, seen, member)
    values = {"amount": promise.amount, "unit": promise.unit, "words": promise.words, "changed_at": timezone.now()}
    standard, _ = Standard.objects.update_or_create(term=term, defaults=values | {"changed_by_name": str(member.user)[:120]})
    compare_anew(term, standard)
    details = {"before": _words(before), "after": _words(standard)}
    _note("set", term, f"Set our standard for {term.label}: {_words(standard)}.", member, details)
    return standard


@transaction.atomic
def remove_standard(term: Term, *, seen: str, member: Membership) -> None:
    """Have no standard for a term anymore, so that nothing deviates from it. Raises StandardChanged."""
    before = _lock(term, seen, member)
    if before is None:
        return
    before.delete()
    compare_anew(term, None)
    _note("remove", term, f"Removed our standard for {term.label}.", member, {"before": _words(before), "after": ""})


def compare_anew(term: str, standard: Standard | None) -> None:
    """Compare every promise of a term, by what is promised: twenty thousand of them promise a handful of things."""
    rows = Commitment.objects.of_term(term).order_by()
    numbers = rows.filter(amount__isnull=False).values_list("amount", "unit").distinct()
    for amount, unit in list(numbers):
        verdict = compare(term, Promise(amount, unit), standard).verdict
        rows.filter(amount=amount, unit=unit).exclude(comparison=verdict).update(comparison=verdict)
    in_words = rows.filter(amount__isnull=True)
    if standard is None or standard.amount is not None:
        verdict = Verdict.NONE if standard is None else Verdict.UNKNOWN
        in_words.exclude(comparison=verdict).update(comparison=verdict)
        return
    equal = [words for words in in_words.values_list("words", flat=True).distinct() if _is_equal(term, words, standard)]
    in_words.filter(words__in=equal).update(comparison=Verdict.EQUAL)
    in_words.exclude(words__in=equal).update(comparison=Verdict.UNKNOWN)


def _is_equal(term: str, words: str, standard: Standard) -> bool:
    return compare(term, Promise(words=words), standard).verdict == Verdict.EQUAL


def _lock(term: Term, seen: str, member: Membership) -> Standard | None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    standard = Standard.objects.select_for_update().filter(term=term).first()
    if seen != (standard.version if standard else ""):
        raise StandardChanged(standard)
    return standard


def _words(standard: Standard | None) -> str:
    if standard is None:
        return ""
    return standard.promise if standard.amount is not None else "in words"


def _note(verb: str, term: Term, summary: str, member: Membership, details: dict[str, str]) -> None:
    record(f"commitment_standard.{verb}", target=(STANDARD, term), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
