from collections.abc import Callable, Mapping

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.http import require_POST

from portal.questionnaires import services
from portal.questionnaires.changes import Action
from portal.questionnaires.forms import (
    ApprovalForm,
    ApproverForm,
    AssignForm,
    ChangeForm,
    CompletionForm,
    DueForm,
    StatusForm,
    TakeForm,
)
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.refusals import REFUSALS, Refusal, refusal_for
from portal.questionnaires.views.rendering import find, show_summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role
from portal.ui.toasts import toast
from portal.users.dates import in_form

OUTCOMES: Mapping[str, Callable[[Questionnaire], str]] = {
    Action.TAKE: lambda after: f"Owner: {after.owner_name or 'unassigned'}",
    Action.ASSIGN: lambda after: f"Owner: {after.owner_name or 'unassigned'}",
    Action.APPROVER: lambda after: f"Approver: {after.approver_name or 'unassigned'}",
    Action.DUE: lambda after: f"Due: {date_format(localtime(after.due_at), in_form('j M Y')) if after.due_at else 'no date'}",
}
"""What is said once a change was made."""


@require_POST
@tenant_view(Role.ANALYST)
def set_status(request: TenantRequest, platform_id: str) -> HttpResponse:
    return step(request, find(platform_id), StatusForm(request.POST), services.change_status)


@require_POST
@tenant_view(Role.APPROVER)
def approve(request: TenantRequest, platform_id: str) -> HttpResponse:
    return step(request, find(platform_id), ApprovalForm(request.POST), services.approve)


@require_POST
@tenant_view(Role.APPROVER)
def complete(request: TenantRequest, platform_id: str) -> HttpResponse:
    return step(request, find(platform_id), CompletionForm(request.POST), services.complete)


@require_POST
@tenant_view(Role.ANALYST)
def take(request: TenantRequest, platform_id: str) -> HttpResponse:
    return change(request, platform_id, TakeForm(request.POST))


@require_POST
@tenant_view(Role.ANALYST)
def assign(request: TenantRequest, platform_id: str) -> HttpResponse:
    return change(request, platform_id, AssignForm(request.POST))


@require_POST
@tenant_view(Role.ANALYST)
def name_approver(request: TenantRequest, platform_id: str) -> HttpResponse:
    return change(request, platform_id, ApproverForm(request.POST))


@require_POST
@tenant_view(Role.ANALYST)
def set_due(request: TenantRequest, platform_id: str) -> HttpResponse:
    return change(request, platform_id, DueForm(request.POST))


def change(request: TenantRequest, platform_id: str, form: ChangeForm) -> HttpResponse:
    """Make one of the changes that the list makes to many."""

    def make(questionnaire: Questionnaire, *, member: Membership, **_: object) -> Questionnaire:
        return services.change_questionnaire(questionnaire, member=member, change=form.change(member))

    return step(request, find(platform_id), form, make, words=OUTCOMES[form.action])


def step(
    request: TenantRequest,
    questionnaire: Questionnaire,
    form: Form,
    take: Callable[..., Questionnaire],
    *,
    words: Callable[[Questionnaire], str] = lambda after: f"{after.status_label}.",
) -> HttpResponse:
    """Take a step with a questionnaire and show what came of it."""
    if not form.is_valid():
        problems = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return refuse(request, questionnaire, Refusal("Nothing was changed", problems, tone="warn"))
    try:
        after = take(questionnaire, member=request.membership, **form.cleaned_data)
    except REFUSALS as error:
        return refuse(request, find(questionnaire.platform_id), refusal_for(error, slug=request.tenant.slug))
    if request.htmx:
        return toast(show_summary(request, after), words(after))
    messages.success(request, words(after))
    return go_back(request, after)


def refuse(request: TenantRequest, questionnaire: Questionnaire, refusal: Refusal) -> HttpResponse:
    if request.htmx:
        return show_summary(request, questionnaire, refusal=refusal, status=422)
    messages.error(request, f"{refusal.title}. {refusal.text}")
    return go_back(request, questionnaire)


def go_back(request: TenantRequest, questionnaire: Questionnaire) -> HttpResponse:
    """Show the page that the step was taken from: the end of a review, or the questions."""
    page = "review" if request.GET.get("from") == "review" else "questionnaire"
    return redirect(f"questionnaires:{page}", slug=request.tenant.slug, platform_id=questionnaire.platform_id)
