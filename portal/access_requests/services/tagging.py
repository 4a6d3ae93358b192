"""What a tenant marks of its own: domains that are blocked or free mail, and documents that are sensitive."""

from collections.abc import Callable
from dataclasses import replace

from django.core.exceptions import PermissionDenied

from portal.access_requests.documents import resource_titles
from portal.access_requests.facts import Marks
from portal.access_requests.models import ListedDomain, ListKind, SensitiveDocument, domain_of
from portal.access_requests.rulebook import RuleBook
from portal.access_requests.services.announcements import Choice, Proposal
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.rule_verdicts import APPLY
from portal.access_requests.services.rules import current_book, is_stopped, make_announced, write_book
from portal.accounts.selectors import fold_domain
from portal.audit.services import record
from portal.lib.counted import counted
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id
from portal.trust_center.models import Resource

MAX_DOMAIN_LENGTH = 320


def list_domain(text: str, *, kind: ListKind, why: str, member: Membership, choice: Choice | None = None) -> ListedDomain:
    """Mark a domain; of an address only what stands behind its @ is kept. One that is marked gets the new reason.

    Raises DecidesWaiting when the rules would then decide requests that wait.
    """
    domain = fold_domain(domain_of(text) if "@" in text else text)[:MAX_DOMAIN_LENGTH]

    def marked(marks: Marks) -> Marks:
        return replace(marks, listed=marks.listed.with_row(ListedDomain(kind=kind, domain=domain)))

    def write() -> ListedDomain:
        values = {"why": why[:200], "listed_by": member.user, "listed_by_name": str(member.user)[:120]}
        row, _ = ListedDomain.objects.update_or_create(kind=kind, domain=domain, defaults=values)
        _note("list", f"Marked {row} as {row.get_kind_display().lower()}.", member)
        return row

    return _change(marked, write, member, choice)


def unlist_domain(row: ListedDomain, *, member: Membership, choice: Choice | None = None) -> None:
    """Take a mark away. Raises DecidesWaiting when the rules would then decide requests that wait."""

    def unmarked(marks: Marks) -> Marks:
        return replace(marks, listed=marks.listed.without(row))

    def write() -> None:
        _note("unlist", f"{row} is no longer marked as {row.get_kind_display().lower()}.", member)
        row.delete()

    _change(unmarked, write, member, choice)


def mark_sensitive(resource_ids: set[str], *, shown: set[str], member: Membership, choice: Choice | None = None) -> None:
    """Mark documents as sensitive, and take the mark from those that were shown with one and are not among these.

    Marks that this person has not seen stay: those of others meanwhile, and of documents that are public or gone for a while.
    Raises DecidesWaiting as the marks of domains do.
    """

    def difference() -> tuple[set[str], set[str]]:
        before = set(SensitiveDocument.objects.values_list("resource_id", flat=True))
        chosen = Resource.objects.filter(platform_id__in=resource_ids - shown).values_list("platform_id", flat=True)
        return set(chosen) - before, before & (shown - resource_ids)

    def changed(marks: Marks) -> Marks:
        marked, unmarked = difference()
        return replace(marks, documents=replace(marks.documents, sensitive=marks.documents.sensitive - unmarked | marked))

    _check(member)
    if any(difference()):
        _change(changed, lambda: _write_sensitive(*difference(), member), member, choice)


def _write_sensitive(marked: set[str], unmarked: set[str], member: Membership) -> None:
    before = SensitiveDocument.objects.count()
    SensitiveDocument.objects.filter(resource_id__in=unmarked).delete()
    name = str(member.user)[:120]
    SensitiveDocument.objects.bulk_create(SensitiveDocument(resource_id=each, marked_by_name=name) for each in marked)
    titles = resource_titles(marked | unmarked)
    _note(
        "sensitive",
        f"{counted(before - len(unmarked) + len(marked), 'document')} marked as sensitive (before: {before}).",
        member,
        marked=sorted(titles[each] for each in marked),
        unmarked=sorted(titles[each] for each in unmarked),
    )


def _check(member: Membership) -> None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied


def _change[Made](
    changed: Callable[[Marks], Marks], write: Callable[[], Made], member: Membership, choice: Choice | None
) -> Made:
    """Change marks, where the rules would act on what is marked differently after a choice."""
    _check(member)

    def propose() -> Proposal:
        book = current_book()
        return Proposal(before=book, after=book, marks=changed(Marks.load()), is_stopped=is_stopped())

    def make(rules: RuleBook) -> Made:
        write_book(rules, member)
        return write()

    return make_announced(propose, choice, make)


def _note(action: str, summary: str, member: Membership, **details: list[str]) -> None:
    record(f"access_rules.{action}", target=("access_rules", "lists"), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
    enqueue_on_commit(APPLY, current_tenant_id())
