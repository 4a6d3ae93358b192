"""Every change of the rules. Each makes a new version of the whole book; none is ever changed or lost."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.access_requests.models import RuleSwitch, RuleVersion
from portal.access_requests.rule_effects import TooManyWait
from portal.access_requests.rulebook import Action, Conditions, Rule, RuleBook
from portal.access_requests.rulebook.differences import differences
from portal.access_requests.services.announcements import Choice, DecidesWaiting, Proposal, announced
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.rule_verdicts import APPLY, FACT_AREAS
from portal.accounts.selectors import account_names
from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import area_versions, read_anew, touch_areas
from portal.tenants.models import Membership, Role
from portal.tenants.scope import current_tenant_id

MAX_RULES = 100
"""Each is tried for each request, by a person's eyes too."""
TRIES = 3
"""So often it is looked anew at all that waits when something changes meanwhile; a person waits for the answer."""
MAX_UNDER_LOCK = 2000
"""So many requests at most are looked at under the lock of the switch: whoever waits for it waits for a blink."""


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


def is_stopped() -> bool:
    return RuleSwitch.objects.filter(is_stopped=True).exists()


def make_announced[Made](propose: Callable[[], Proposal], choice: Choice | None, make: Callable[[RuleBook], Made]) -> Made:
    """Make a change under the lock of the switch, once a person has chosen what becomes of the requests that wait.

    What it would decide is found out before the lock is taken: it takes the longer, the more requests wait. It counts if
    nothing has changed since; else it is found out under the lock where few enough wait, or anew. Where things never stand
    still, what the last look found counts: each one has agreed with the choice, and what happens after it is as what happens
    after the change. Raises DecidesWaiting, also when the rules or the marks themselves have changed since that look.
    """
    # What is kept by version, such as the office hours, would be from before the first look.
    read_anew()
    for tries_left in reversed(range(TRIES)):
        seen = _fact_versions()
        proposal = last = propose()
        effects = proposal.effects()
        rules = announced(proposal, effects, choice)
        with transaction.atomic():
            lock_switch()
            if _fact_versions() == seen:
                return make(rules)
            with suppress(TooManyWait):
                proposal = propose()
                return make(announced(proposal, proposal.effects(at_most=MAX_UNDER_LOCK), choice))
            if not tries_left and proposal == last:
                return make(announced(proposal, effects, choice))
    raise DecidesWaiting(effects, proposal.after, was_shown=True)


def _fact_versions() -> str:
    """Return the versions of all that rules and their facts are made of."""
    tenant_id = current_tenant_id()
    return area_versions([tenant_id], *FACT_AREAS)[tenant_id]


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
    new_id = rule_id or uuid4().hex

    def saved(book: RuleBook) -> RuleBook:
        if not rule_id and len(book.rules) >= MAX_RULES:
            raise TooManyRules
        before = book.rule(rule_id)
        rule = Rule(id=new_id, name=name, conditions=conditions, action=action)
        if before and replace(before, name=name, is_automatic=False, acts_from="") == rule:
            rule = replace(rule, is_automatic=before.is_automatic, acts_from=before.acts_from)
        return book.with_rule(rule)

    return _change(saved, member=member, seen=seen, rule_id=rule_id, choice=choice)


@transaction.atomic
def add_suggesting_rules(rules: Collection[Rule], *, member: Membership) -> RuleVersion:
    """Put rules that were made elsewhere behind all others. They suggest only, and so take nothing from those.

    Raises TooManyRules, PermissionDenied.
    """
    lock_switch()
    old = _book_to_change(member, current_book().number)
    if len(old.rules) + len(rules) > MAX_RULES:
        raise TooManyRules
    new = [replace(rule, id=uuid4().hex, is_automatic=False, acts_from="") for rule in rules]
    return write_book(replace(old, rules=(*old.rules, *new)), member)


def remove_rule(rule_id: str, *, member: Membership, seen: int, choice: Choice | None = None) -> RuleVersion:
    """Remove a rule. Raises DecidesWaiting when a later one would decide what this one kept for people."""
    return _change(lambda book: book.without(rule_id), member=member, seen=seen, rule_id=rule_id, choice=choice)


def move_rule(rule_id: str, by: int, *, member: Membership, seen: int, choice: Choice | None = None) -> RuleVersion:
    """Have a rule tried earlier or later. Raises DecidesWaiting."""
    return _change(lambda book: book.moved(rule_id, by), member=member, seen=seen, rule_id=rule_id, choice=choice)


def make_automatic(
    rule_id: str, *, member: Membership, seen: int, is_automatic: bool = True, choice: Choice | None = None
) -> RuleVersion:
    """Let a rule act by itself, or only suggest. `seen` is the version whose dry run the person has looked at.

    Raises DecidesWaiting unless the person has chosen what becomes of the requests that wait.
    """

    def switched(book: RuleBook) -> RuleBook:
        return book.automatic(rule_id, is_automatic=is_automatic)

    limits = {rule_id} if is_automatic else set[str]()
    return _change(switched, member=member, seen=seen, rule_id=rule_id, choice=choice, limits=limits)


def _change(
    changed: Callable[[RuleBook], RuleBook],
    *,
    member: Membership,
    seen: int,
    rule_id: str,
    choice: Choice | None,
    limits: Collection[str] = (),
) -> RuleVersion:
    def propose() -> Proposal:
        book = _book_to_change(member, seen, rule_id)
        return Proposal(before=book, after=changed(book), limits=limits, is_stopped=is_stopped())

    return make_announced(propose, choice, lambda rules: write_book(rules, member))


def _book_to_change(member: Membership, seen: int, rule_id: str = "") -> RuleBook:
    if not member.may(Role.ADMIN):
        raise PermissionDenied
    book = current_book()
    if book.number != seen or (rule_id and book.rule(rule_id) is None):
        raise RulesChanged
    return book


def write_book(new: RuleBook, member: Membership) -> RuleVersion:
    """Make the next version of the rules, or none when nothing is different. Call it under the lock of `lock_switch`."""
    old = current_book()
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
