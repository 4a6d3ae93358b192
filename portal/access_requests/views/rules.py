from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access_requests import rule_selectors as selectors
from portal.access_requests.models import RuleVersion
from portal.access_requests.rule_forms import RuleForm
from portal.access_requests.rulebook import Rule
from portal.access_requests.services import kill_switch, rules
from portal.access_requests.services.announcements import DecidesWaiting
from portal.access_requests.services.rules import RulesChanged, TooManyRules, current_book
from portal.access_requests.views.announcements import ask, choice_of
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

CHANGED = "Someone else changed the rules. Here's the current version; your change wasn't saved."
AREAS = ("access_requests", "trust_center", "accounts")


@require_GET
@tenant_view(Role.VIEWER)
def rule_list(request: TenantRequest) -> HttpResponse:
    """All rules in their order. The list polls this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "rules")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    book = current_book()
    context = {
        "book": book,
        "rows": selectors.rule_rows(book),
        "applied_at": selectors.applied_at(),
        "switch": selectors.switch_state(),
        "sending": selectors.sending_by_rule(),
        "may_change": request.membership.may(Role.ADMIN),
        "may_stop": request.membership.may(Role.APPROVER),
        "page_version": seen,
    }
    return render(request, f"access_requests/rules.html{'#rules' if request.htmx else ''}", context)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN)
def new_rule(request: TenantRequest) -> HttpResponse:
    return edit(request, None)


@require_http_methods(["GET", "POST"])
@tenant_view(Role.ADMIN)
def rule(request: TenantRequest, rule_id: str) -> HttpResponse:
    return edit(request, find_rule(rule_id))


def edit(request: TenantRequest, found: Rule | None) -> HttpResponse:
    """Show the form of a rule, and take it."""
    book = current_book()
    form = RuleForm(request.POST if request.method == "POST" else None, rule=found, version=book.number)
    if form.is_valid():
        try:
            version = rules.save_rule(
                found.id if found else "",
                name=form.cleaned_data["name"],
                conditions=form.conditions,
                action=form.action,
                member=request.membership,
                seen=form.cleaned_data["version"],
                choice=choice_of(request),
            )
        except DecidesWaiting as error:
            return ask_for(request, error, f"Save “{form.cleaned_data['name']}”?", "Save")
        except RulesChanged:
            messages.error(request, CHANGED)
            return redirect("access_requests:rules", slug=request.tenant.slug)
        except TooManyRules:
            form.add_error(None, f"There are already {rules.MAX_RULES} rules. Remove one you don't need.")
        else:
            return saved(request, found, version)
    context = {"form": form, "rule": found, "book": book}
    return render(request, "access_requests/rule.html", context, status=422 if form.is_bound else 200)


def saved(request: TenantRequest, found: Rule | None, version: RuleVersion) -> HttpResponse:
    """Go on after saving: a rule that was on only suggests now, and its page asks whether it is turned on again."""
    now = version.book.rule(found.id) if found else None
    if found and found.is_automatic and now and not now.is_automatic:
        messages.warning(request, f"Saved. “{now.name}” was on and only suggests until you turn it on again.")
        return redirect("access_requests:before_automatic", slug=request.tenant.slug, rule_id=now.id)
    messages.success(request, f"Saved as version {version.number}.")
    return redirect("access_requests:rules", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def move_rule(request: TenantRequest, rule_id: str) -> HttpResponse:
    by, member, choice = -1 if request.POST.get("to") == "up" else 1, request.membership, choice_of(request)
    try:
        return change(request, lambda seen: rules.move_rule(rule_id, by, member=member, seen=seen, choice=choice))
    except DecidesWaiting as error:
        return ask_for(request, error, f"Move “{find_rule(rule_id).name}”?", "Move")


@require_POST
@tenant_view(Role.ADMIN)
def remove_rule(request: TenantRequest, rule_id: str) -> HttpResponse:
    member, choice = request.membership, choice_of(request)
    try:
        return change(request, lambda seen: rules.remove_rule(rule_id, member=member, seen=seen, choice=choice))
    except DecidesWaiting as error:
        return ask_for(request, error, f"Remove “{find_rule(rule_id).name}”?", "Remove")


@require_POST
@tenant_view(Role.ADMIN)
def make_suggesting(request: TenantRequest, rule_id: str) -> HttpResponse:
    """A rule that suggests still comes first where it applies: nothing else decides because of it."""
    member = request.membership
    return change(request, lambda seen: rules.make_automatic(rule_id, member=member, seen=seen, is_automatic=False))


def change(request: TenantRequest, take: Callable[[int], Any]) -> HttpResponse:
    """Change the rules as they were seen; what somebody changed meanwhile is shown first."""
    seen = request.POST.get("version", "")
    try:
        version = take(int(seen) if seen.isdecimal() and len(seen) < 10 else -1)
    except RulesChanged:
        messages.error(request, CHANGED)
    else:
        messages.success(request, " ".join(version.changes[:3]) or "Nothing was changed.")
    return redirect("access_requests:rules", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.APPROVER)
def stop_rules(request: TenantRequest) -> HttpResponse:
    undone = kill_switch.stop_rules(member=request.membership)
    messages.success(request, f"The rules are stopped. Decisions undone before they were sent: {undone}.")
    return redirect("access_requests:rules", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def start_rules(request: TenantRequest) -> HttpResponse:
    try:
        kill_switch.start_rules(member=request.membership, choice=choice_of(request))
    except DecidesWaiting as error:
        return ask_for(request, error, "Start the rules again?", "Start the rules")
    messages.success(request, "The rules are on again.")
    return redirect("access_requests:rules", slug=request.tenant.slug)


@require_GET
@tenant_view(Role.VIEWER)
def rule_versions(request: TenantRequest) -> HttpResponse:
    return render(request, "access_requests/rule_versions.html", {"versions": selectors.versions()})


@require_GET
@tenant_view(Role.VIEWER)
def rule_version(request: TenantRequest, number: int) -> HttpResponse:
    """The rules as they were then."""
    version = get_object_or_404(RuleVersion, number=number)
    context = {"version": version, "rules": selectors.rule_rows(version.book)}
    return render(request, "access_requests/rule_version.html", context)


def ask_for(request: TenantRequest, error: DecidesWaiting, question: str, button: str) -> HttpResponse:
    back = reverse("access_requests:rules", args=[request.tenant.slug])
    return ask(request, error, question=question, button=button, back=back)


def find_rule(rule_id: str) -> Rule:
    found = current_book().rule(rule_id)
    if found is None:
        raise Http404
    return found
