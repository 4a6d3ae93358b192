from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.connections.services import connection_of_tenant
from portal.lib.row_keys import row_key
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.errors import ValidationFailed
from portal.questionnaires import services
from portal.questionnaires.account_names import named_accounts
from portal.questionnaires.duplicates import duplicates
from portal.questionnaires.forms import IntakeForm, typed_again, typed_like
from portal.questionnaires.models import Intake, IntakeState, Questionnaire
from portal.questionnaires.refusals import REFUSALS, Refusal, refusal_for
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new(request: TenantRequest) -> HttpResponse:
    """Hand a questionnaire in. What cannot be taken is said on the page, with everything but the file still in it."""
    again = _named(request.GET.get("again", ""))
    if request.method != "POST":
        if is_connected():
            services.ask_for_owners()
            services.ask_for_labels(may_be_first=True)
        return show_form(request, IntakeForm(initial=_initial(request, again)), again=again)
    form = IntakeForm(request.POST, request.FILES)
    if not form.is_valid():
        return show_form(request, form, again=again)
    try:
        intake = services.begin_intake(form.new_questionnaire(), member=request.membership, again=again)
    except REFUSALS as error:
        is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
        refusal = None if is_shown else refusal_for(error, slug=request.tenant.slug)
        return show_form(request, form, again=again, refusal=refusal)
    return go_on(request, intake)


def show_form(
    request: TenantRequest, form: IntakeForm, *, again: Intake | None, refusal: Refusal | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "either": [form["file"], form["url"]],
        "again": again,
        "refusal": refusal,
        "is_connected": is_connected(),
        "had_file": bool(request.FILES.get("file")),
    }
    return render(request, "questionnaires/new.html", context, status=422 if form.is_bound else 200)


def is_connected() -> bool:
    connection = connection_of_tenant()
    return connection is not None and connection.is_active


def _initial(request: TenantRequest, again: Intake | None) -> dict[str, Any]:
    if again:
        return typed_again(again)
    like = Questionnaire.objects.filter(platform_id=request.GET.get("like", "")).first()
    return typed_like(like) if like else {}


def _named(text: str) -> Intake | None:
    """The intake that is handed in again."""
    return Intake.objects.filter(pk=row_key(text), state=IntakeState.ABSENT).first()


def go_on(request: TenantRequest, intake: Intake) -> HttpResponse:
    """After the call: to the questionnaire, or to where its intake stands."""
    if intake.questionnaire is None:
        return redirect("questionnaires:intake", slug=request.tenant.slug, intake_id=intake.pk)
    messages.success(request, "Submitted. The platform has it.")
    return redirect("questionnaires:questionnaire", slug=request.tenant.slug, platform_id=intake.questionnaire.platform_id)


@require_GET
@tenant_view(Role.ANALYST)
def intake(request: TenantRequest, intake_id: int) -> HttpResponse:
    """Where an intake stands: what it looks like, being checked, there, or not. Polls this same address while it is open."""
    found = get_object_or_404(Intake.objects.select_related("questionnaire"), pk=intake_id)
    seen = version_at(area_version("questionnaires"), request.get_full_path(), "intake")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    return show_intake(request, found, fragment="#intake" if request.htmx else "", page_version=seen)


def show_intake(request: TenantRequest, found: Intake, *, fragment: str = "", status: int = 200, **extra: Any) -> HttpResponse:
    is_asked = found.state == IntakeState.ASKING
    account = named_accounts([found.account_id], slug=request.tenant.slug).get(found.account_id)
    context = {
        "intake": found,
        "account": account,
        "duplicates": duplicates(found, now=timezone.now()) if is_asked else [],
        **extra,
    }
    return render(request, f"questionnaires/intake.html{fragment}", context, status=status)


@require_POST
@tenant_view(Role.ANALYST)
def send_intake(request: TenantRequest, intake_id: int) -> HttpResponse:
    """Send what looks like a duplicate all the same."""
    found = get_object_or_404(Intake, pk=intake_id)
    try:
        return go_on(request, services.send_all_the_same(found, member=request.membership))
    except REFUSALS as error:
        refusal = refusal_for(error, slug=request.tenant.slug)
    messages.error(request, f"{refusal.title}. {refusal.text}")
    return redirect("questionnaires:intake", slug=request.tenant.slug, intake_id=found.pk)


@require_POST
@tenant_view(Role.ANALYST)
def discard_intake(request: TenantRequest, intake_id: int) -> HttpResponse:
    found = get_object_or_404(Intake, pk=intake_id)
    try:
        services.discard_intake(found, member=request.membership)
    except services.NotAllowed as refusal:
        messages.warning(request, str(refusal))
        return redirect("questionnaires:intake", slug=request.tenant.slug, intake_id=found.pk)
    messages.success(request, f"{found} was not sent.")
    return redirect("questionnaires:list", slug=request.tenant.slug)
