"""Every change of the rules. Each makes a new version of the whole book; none is ever changed or lost."""

from collections.abc import Collection
from dataclasses import replace
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access_requests.models import RuleSwitch, RuleVersion
from portal.access_requests.rulebook import Action, Conditions, Rule, RuleBook
from portal.access_requests.rulebook.differences import differences
from portal.access_requests.services.announcing import Choice, announced
from portal.access_requests.services.applying import APPLY
from portal.access_requests.services.outcomes import AREA
from portal.accounts.selectors import account_names
from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id

MAX_RULES = 100
"""Each is tried for each request, by a person's eyes too."""


class RulesChanged(Exception):
    """Somebody has changed the rules since this page was drawn: what it showed is not what would be changed."""


class TooManyRules(Exception):
    """There are as many rules as anybody can follow."""


def current_book() -> RuleBook:
    """The rules as they are now; an empty book while there was never one."""
    version = RuleVersion.objects.order_by("-number").first()
    return version.book if version else RuleBook()


def lock_switch() -> RuleSwitch:
    """Take the lock that orders changes of the rules, the kill switch and rules that act. Call it in a transaction."""
    RuleSwitch.objects.get_or_create(tenant_id=current_tenant_id())
    return RuleSwitch.objects.select_for_update().get()


@transaction.atomic
def save_rule(
    rule_id: str,
    *,
    name: str,
    conditions: Conditions,
    action: Action,
    member: Membership,
    seen: int,
    choice: Choice | None = None,
) -> RuleVersion:
    """Make a rule (without an id), or change one. It suggests: what acted by itself has to be looked at again first.

    Raises RulesChanged, TooManyRules, PermissionDenied; DecidesWaiting when another rule would get what this one leaves.
    """
    book = _book_to_change(member, seen)
    if rule_id and book.rule(rule_id) is None:
        raise RulesChanged
    if not rule_id and len(book.rules) >= MAX_RULES:
        raise TooManyRules
    before = book.rule(rule_id)
    rule = Rule(id=rule_id or uuid4().hex, name=name, conditions=conditions, action=action)
    if before and replace(before, name=name, is_automatic=False, acts_from="") == rule:
        rule = replace(rule, is_automatic=before.is_automatic, acts_from=before.acts_from)
    return _announce(book, book.with_rule(rule), member, choice)


@transaction.atomic
def add_suggesting_rules(rules: Collection[Rule], *, member: Membership) -> RuleVersion:
    """Put rules that were made elsewhere behind all others. They suggest only, and so take nothing from those.

    Raises TooManyRules, PermissionDenied.
    """
    old = _book_to_change(member, current_book().number)
    if len(old.rules) + len(rules) > MAX_RULES:
        raise TooManyRules
    new = [replace(rule, id=uuid4().hex, is_automatic=False, acts_from="") for rule in rules]
    return write_book(old, replace(old, rules=(*old.rules, *new)), member)


@transaction.atomic
def remove_rule(rule_id: str, *, member: Membership, seen: int, choice: Choice | None = None) -> RuleVersion:
    """Remove a rule. Raises DecidesWaiting when a later one would decide what this one kept for people."""
    book = _book_to_change(member, seen, rule_id)
    return _announce(book, book.without(rule_id), member, choice)


@transaction.atomic
def move_rule(rule_id: str, by: int, *, member: Membership, seen: int, choice: Choice | None = None) -> RuleVersion:
    """Have a rule tried earlier or later. Raises DecidesWaiting."""
    book = _book_to_change(member, seen, rule_id)
    return _announce(book, book.moved(rule_id, by), member, choice)


@transaction.atomic
def make_automatic(
    rule_id: str, *, member: Membership, seen: int, is_automatic: bool = True, choice: Choice | None = None
) -> RuleVersion:
    """Let a rule act by itself, or only suggest. `seen` is the version whose dry run the person has looked at.

    Raises DecidesWaiting unless the person has chosen what becomes of the requests that wait.
    """
    book = _book_to_change(member, seen, rule_id)
    limits = {rule_id} if is_automatic else set[str]()
    return _announce(book, book.automatic(rule_id, is_automatic=is_automatic), member, choice, limits)


def _book_to_change(member: Membership, seen: int, rule_id: str = "") -> RuleBook:
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    lock_switch()
    book = current_book()
    if book.number != seen or (rule_id and book.rule(rule_id) is None):
        raise RulesChanged
    return book


def _announce(
    old: RuleBook, new: RuleBook, member: Membership, choice: Choice | None, limits: Collection[str] = ()
) -> RuleVersion:
    is_stopped = RuleSwitch.objects.filter(is_stopped=True).exists()
    return write_book(old, announced(old, new, choice, limits=limits, is_stopped=is_stopped), member)


def write_book(old: RuleBook, new: RuleBook, member: Membership) -> RuleVersion:
    """Make the next version of the rules, or none when nothing is different. Call it under the lock of `lock_switch`."""
    names = account_names(key for book in (old, new) for rule in book.rules for key in rule.conditions.account_ids)
    changes = differences(old, new, names)
    if not changes:
        return RuleVersion.objects.filter(number=old.number).first() or RuleVersion(number=0)
    version = RuleVersion.objects.create(
        number=old.number + 1,
        rules=new.as_json(),
        changes=changes,
        made_by=member.user,
        made_by_name=str(member.user)[:120],
    )
    summary = f"Changed the rules, version {version.number}: {changes[0]}"
    details = {"version": version.number, "changes": changes}
    record("access_rules.change", target=("access_rules", "book"), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
    enqueue_on_commit(APPLY, current_tenant_id())
    return version
