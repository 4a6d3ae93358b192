from collections.abc import Iterator
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from portal.access_requests.dry_run import KINDS, Tried, try_on_past
from portal.access_requests.kinds import REQUEST
from portal.access_requests.rule_effects import Effects, added_effects
from portal.access_requests.rule_forms import ScopeForm
from portal.access_requests.rule_selectors import switch_state
from portal.access_requests.rulebook import Rule, RuleBook
from portal.access_requests.rulebook.differences import sentence
from portal.access_requests.services import rules
from portal.access_requests.services.announcements import DecidesWaiting
from portal.access_requests.services.exports import note_dry_run
from portal.access_requests.services.freshness import staleness_of_tenant
from portal.access_requests.services.rules import current_book
from portal.access_requests.views.announcements import choice_of
from portal.access_requests.views.rules import change, find_rule
from portal.accounts.selectors import account_names
from portal.lib.spreadsheets import csv_answer
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

CHOOSE = "Choose what happens to the waiting requests."
CHANGED_MEANWHILE = "The list of waiting requests has changed since you saw it. Check it again, then choose."
A_PAGE = 50
ALL = "all"
HEADER = (
    "Id",
    "Person",
    "Email",
    "Company",
    "Requested",
    "Decided",
    "Rules",
    "Rule",
    "Caution",
    "Differs",
    "Facts",
)


@require_GET
@tenant_view(Role.VIEWER)
def dry_run(request: TenantRequest) -> HttpResponse:
    """What the rules would have done in the past."""
    return render(request, "access_requests/dry_run.html", tried_context(request))


@require_GET
@tenant_view(Role.ADMIN)
def before_automatic(request: TenantRequest, rule_id: str) -> HttpResponse:
    """The step before a rule acts by itself: what it would decide now, and what it would have done."""
    return show_before_automatic(request, find_rule(rule_id))


@require_POST
@tenant_view(Role.ADMIN)
def make_automatic(request: TenantRequest, rule_id: str) -> HttpResponse:
    """The button of that page, with the version that was tried and the waiting requests that were shown."""
    choice = choice_of(request)
    try:
        return change(request, lambda seen: rules.make_automatic(rule_id, member=request.membership, seen=seen, choice=choice))
    except DecidesWaiting as error:
        problem = CHANGED_MEANWHILE if error.was_shown else CHOOSE
        return show_before_automatic(request, find_rule(rule_id), problem=problem)


def show_before_automatic(request: TenantRequest, found: Rule, *, problem: str = "") -> HttpResponse:
    book = current_book()
    effects = Effects() if found.is_automatic else added_effects(book, book.automatic(found.id))
    names = account_names(found.conditions.account_ids)
    context = tried_context(request, as_if=found.id, only=found.id) | {
        "rule": found,
        "auto": "auto-approve" if found.action.grants else "auto-deny",
        "sentence": sentence(found, names),
        "effects": effects,
        "form": ScopeForm(number=effects.number, seen=effects.digest),
        "stopped": switch_state().is_stopped,
        "stale": staleness_of_tenant(timezone.now(), with_contracts=book.asks_for_contracts),
        "problem": problem,
    }
    reach, against = context["run"].reach, context["against"]
    context["disagreement"] = f"Of {reach}, it would have decided {against} the other way. Check them first."
    return render(request, "access_requests/rule_automatic.html", context, status=422 if problem else 200)


def tried_context(request: TenantRequest, *, as_if: str | None = None, only: str = "") -> dict[str, Any]:
    book, as_if = current_book(), request.GET.get("as", "") if as_if is None else as_if
    run = try_on_past(book_as_if(book, as_if))
    if only:
        run = run.of_rules({only})
    kind = kind_of(request)
    counts = run.counts()
    page = Paginator(run.of_kind(kind), A_PAGE).get_page(request.GET.get("page"))
    return {
        "book": book,
        "as_if": as_if,
        "may_export": request.membership.may(Role.ANALYST),
        "choices": [("", "Current rules"), (ALL, "If every rule were on")]
        + [(rule.id, f"If “{rule.name}” were on") for rule in book.rules if not rule.is_automatic],
        "run": run,
        "kind": kind,
        "total": counts[""],
        "readiness": readiness(REQUEST, needs_trust_center=True),
        "against": counts["against"],
        "tabs": [
            {"label": label, "count": counts[key], "url": f"?as={as_if}&kind={key}", "is_current": key == kind}
            for key, (label, _) in KINDS.items()
        ],
        "page": page,
    }


def kind_of(request: TenantRequest) -> str:
    kind = request.GET.get("kind", "")
    return kind if kind in KINDS else ""


def book_as_if(book: RuleBook, as_if: str) -> RuleBook:
    return book.all_automatic() if as_if == ALL else book.automatic(as_if)


@require_POST
@tenant_view(Role.ANALYST)
def dry_run_export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered list as a file. A POST: that it was taken is written down (guarantee S8)."""
    book = book_as_if(current_book(), request.GET.get("as", ""))
    run = try_on_past(book)
    found = run.of_kind(kind_of(request))
    note_dry_run(book.number, len(found), member=request.membership)
    latest = f"-latest-{run.looked_at}" if run.is_partial else ""
    return csv_answer([HEADER, *lines_of(found)], f"dry-run-{request.tenant.slug}-version-{book.number}{latest}")


def lines_of(found: list[Tried]) -> Iterator[tuple[object, ...]]:
    for tried in found:
        request, verdict = tried.request, tried.verdict
        yield (
            request.platform_id,
            request.name,
            request.email,
            request.company,
            request.created_at.isoformat(),
            request.outcome_label,
            tried.act_label,
            verdict.rule.name if verdict.rule else "",
            verdict.caution,
            "yes" if tried.disagrees else "",
            "At the time" if tried.is_of_then else "Today's",
        )
