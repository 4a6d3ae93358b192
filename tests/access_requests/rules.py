"""Rules and facts for the tests about them, and what hypothesis makes of both."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st

from portal.access_requests.models import AccessRequest, Decision, RuleVersion
from portal.access_requests.rulebook import (
    AccountIs,
    AccountMatch,
    Act,
    Action,
    Conditions,
    DomainIs,
    Facts,
    Level,
    Nda,
    Rule,
    RuleBook,
)
from portal.access_requests.services.rules import current_book, save_rule
from portal.accounts.models import Account
from portal.sync.models import Run, RunState
from portal.tenants.models import Membership

DOMAINS = ("acme.example", "eu.acme.example", "helios.example", "gmail.com", "twin.example")
NDAS = ("SIGNED", "NOT_REQUIRED", "INCOMPLETE", "WAIVED")
LEVELS = ("FULL_ACCESS", "PARTIAL_ACCESS", "WATERMARKED")
KINDS = ("account", "access_request", "viewer", "resource", "contract", "activity")

maybe = st.none() | st.booleans()
conditions = st.builds(
    Conditions,
    domains=st.lists(st.sampled_from(DOMAINS), max_size=2, unique=True).map(tuple),
    domain_is=st.sampled_from(DomainIs),
    account=st.sampled_from(AccountIs),
    account_ids=st.lists(st.sampled_from(["id-Acme", "id-Helios"]), max_size=2, unique=True).map(tuple),
    account_ndas=st.lists(st.sampled_from(NDAS), max_size=2, unique=True).map(tuple),
    contract=maybe,
    free_mail=maybe,
    blocked=maybe,
    office_hours=maybe,
    sensitive=maybe,
    known=maybe,
    level=st.sampled_from(["", *LEVELS[:2]]),
)
actions = st.builds(
    Action,
    act=st.sampled_from([Act.APPROVE, Act.DENY, Act.SECOND]),
    level=st.sampled_from(Level),
    expiry_days=st.none() | st.integers(1, 1000),
    nda=st.sampled_from(Nda),
    reason=st.sampled_from(["", "Please use your business address."]),
)
facts = st.builds(
    Facts,
    domain=st.sampled_from(DOMAINS),
    access_level=st.sampled_from(LEVELS),
    is_free_mail=st.booleans(),
    is_blocked=st.booleans(),
    account=st.sampled_from(AccountMatch),
    account_id=st.sampled_from(["", "id-Acme"]),
    account_nda=st.sampled_from(["", *NDAS]),
    has_contract=st.booleans(),
    in_office_hours=st.booleans(),
    is_sensitive=st.booleans(),
    asks_unknown=st.booleans(),
    has_harmless=st.booleans(),
    approved_before=st.integers(0, 3),
)


@st.composite
def books(draw: st.DrawFn, most: int = 5) -> RuleBook:
    """A book of a few rules. Sparse, so that some of them apply."""
    rules = []
    for number in range(draw(st.integers(0, most))):
        asked = draw(conditions)
        kept = draw(st.sets(st.sampled_from(list(asked.as_json())), max_size=3)) | {"domain_is"}
        sparse = Conditions.read({name: value for name, value in asked.as_json().items() if name in kept})
        rules.append(
            Rule(
                id=f"r{number}",
                name=f"Rule {number}",
                conditions=sparse,
                action=draw(actions),
                is_automatic=draw(st.booleans()),
            )
        )
    return RuleBook(number=1, rules=tuple(rules))


def rule(name: str = "Customers", *, automatic: bool = False, act: str = Act.APPROVE, action: Any = None, **asked: Any) -> Rule:
    """A rule that approves, or does something else."""
    return Rule(
        id=f"id-{name}",
        name=name,
        conditions=Conditions(**asked),
        action=Action(**({"act": act} | (action or {}))),
        is_automatic=automatic,
    )


def put(*rules: Rule) -> RuleBook:
    """Make these the rules of the tenant in scope, as if somebody had made them one by one."""
    last = RuleVersion.objects.order_by("-number").first()
    book = RuleBook(number=last.number + 1 if last else 1, rules=rules)
    RuleVersion.objects.create(number=book.number, rules=book.as_json(), made_by_name="Alice")
    return book


def save(
    member: Membership, name: str = "Customers", rule_id: str = "", *, seen: int | None = None, **asked: Any
) -> RuleVersion:
    action = asked.pop("action", Action())
    seen = current_book().number if seen is None else seen
    return save_rule(rule_id, name=name, conditions=Conditions(**asked), action=action, member=member, seen=seen)


def make_account(name: str, domain: str, nda: str = "SIGNED") -> Account:
    return Account.objects.create(platform_id=f"id-{name}", name=name, domain=domain, nda_status=nda)


def compared(hours_ago: float = 0.5, *, but: str = "") -> None:
    """Every list was compared with the platform, that long ago."""
    at = timezone.now() - timedelta(hours=hours_ago)
    for kind in KINDS:
        if kind != but:
            values = {"title": kind, "area": kind, "state": RunState.DONE, "finished_at": at}
            Run.objects.update_or_create(kind=kind, defaults=values)


def decision_of(row: AccessRequest) -> Decision | None:
    return Decision.objects.filter(access_request=row).first()
