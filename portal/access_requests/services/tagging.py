"""What a tenant marks of its own: domains that are blocked or free mail, and documents that are sensitive."""

from dataclasses import replace

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access_requests.documents import resource_titles
from portal.access_requests.facts import Marks
from portal.access_requests.models import ListedDomain, ListKind, SensitiveDocument, domain_of
from portal.access_requests.services.announcing import Choice, announced
from portal.access_requests.services.applying import APPLY
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.ruling import current_book, lock_switch, write_book
from portal.accounts.selectors import fold_domain
from portal.audit.services import record
from portal.lib.counted import counted
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id
from portal.trust_center.models import Resource

MAX_DOMAIN_LENGTH = 320


@transaction.atomic
def list_domain(text: str, *, kind: ListKind, why: str, member: Membership, choice: Choice | None = None) -> ListedDomain:
    """Mark a domain; of an address only what stands behind its @ is kept. One that is marked gets the new reason.

    Raises DecidesWaiting when the rules would then decide requests that wait.
    """
    _check(member)
    domain = fold_domain(domain_of(text) if "@" in text else text)[:MAX_DOMAIN_LENGTH]
    marks = Marks.look()
    _announce(replace(marks, listed=marks.listed.with_row(ListedDomain(kind=kind, domain=domain))), member, choice)
    values = {"why": why[:200], "listed_by": member.user, "listed_by_name": str(member.user)[:120]}
    row, _ = ListedDomain.objects.update_or_create(kind=kind, domain=domain, defaults=values)
    _note("list", f"Marked {row} as {row.get_kind_display().lower()}.", member)
    return row


@transaction.atomic
def unlist_domain(row: ListedDomain, *, member: Membership, choice: Choice | None = None) -> None:
    """Take a mark away. Raises DecidesWaiting when the rules would then decide requests that wait."""
    _check(member)
    marks = Marks.look()
    _announce(replace(marks, listed=marks.listed.without(row)), member, choice)
    _note("unlist", f"{row} is no longer marked as {row.get_kind_display().lower()}.", member)
    row.delete()


@transaction.atomic
def mark_sensitive(resource_ids: set[str], *, shown: set[str], member: Membership, choice: Choice | None = None) -> None:
    """Mark documents as sensitive, and take the mark from those that were shown with one and are not among these.

    Marks that this person has not seen stay: those of others meanwhile, and of documents that are public or gone for a while.
    Raises DecidesWaiting as the marks of domains do.
    """
    _check(member)
    before = set(SensitiveDocument.objects.values_list("resource_id", flat=True))
    chosen = Resource.objects.filter(platform_id__in=resource_ids - shown).values_list("platform_id", flat=True)
    marked, unmarked = set(chosen) - before, before & (shown - resource_ids)
    if not marked and not unmarked:
        return
    after = before - unmarked | marked
    marks = Marks.look()
    _announce(replace(marks, documents=replace(marks.documents, sensitive=frozenset(after))), member, choice)
    SensitiveDocument.objects.filter(resource_id__in=unmarked).delete()
    name = str(member.user)[:120]
    SensitiveDocument.objects.bulk_create(SensitiveDocument(resource_id=each, marked_by_name=name) for each in marked)
    titles = resource_titles(marked | unmarked)
    _note(
        "sensitive",
        f"{counted(len(after), 'document')} marked as sensitive (before: {len(before)}).",
        member,
        marked=sorted(titles[each] for each in marked),
        unmarked=sorted(titles[each] for each in unmarked),
    )


def _check(member: Membership) -> None:
    if not member.may(Role.ADMIN):
        raise PermissionDenied


def _announce(marks: Marks, member: Membership, choice: Choice | None) -> None:
    """Have the rules wait for a choice where they would act on what is marked differently."""
    switch, book = lock_switch(), current_book()
    write_book(book, announced(book, book, choice, marks=marks, is_stopped=switch.is_stopped), member)


def _note(action: str, summary: str, member: Membership, **details: list[str]) -> None:
    record(f"access_rules.{action}", target=("access_rules", "lists"), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
    enqueue_on_commit(APPLY, current_tenant_id())
