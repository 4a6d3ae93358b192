"""The page of one object of an audit: drawn when it is opened, and again when something typed on it could not be sent."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse

from portal.engagements import selectors
from portal.engagements.forms import AssessmentForm, CommentForm, FlagForm
from portal.engagements.kinds import CONTROL, EVIDENCE
from portal.engagements.models import EngagementControl, EvidenceItem, InformationRequest
from portal.engagements.models.choices import READY_FOR_AUDIT
from portal.engagements.refusals import REFUSALS
from portal.engagements.services.comments import FAMILIES, is_ones_own
from portal.engagements.services.decisions import steps_for
from portal.engagements.views.rendering import PAGE_OF, address_of, back_to, error_message, page_version, show
from portal.lib.path_ids import write_id
from portal.platform_api.models import audits as remote
from portal.tenants.access import TenantRequest

type Returned = Mapping[str, forms.Form]
"""The form that could not be sent, with what was typed, by its place on the page."""
NEW_COMMENT, FLAG = "comment", "flag"
OWN = {InformationRequest: "request", EngagementControl: "control"}


def send(
    request: TenantRequest, row: Any, form: forms.Form, place: str, said: str, act: Callable[[dict[str, Any]], object]
) -> HttpResponse:
    """Do something with what was typed, and return to the page. What cannot be sent comes back in its form, with why."""
    if form.is_valid():
        try:
            act(form.cleaned_data)
        except REFUSALS as error:
            form.add_error(None, error_message(request, error))
        else:
            messages.success(request, said)
            return back_to(request, row)
    return PAGES[type(row)](request, row, {place: form})


def draw_request(request: TenantRequest, row: InformationRequest, returned: Returned) -> HttpResponse:
    """One information request with its evidence, comments and history."""
    is_there = row.gone_at is None and row.deleted_at is None
    context = {
        "said": remote.InformationRequest.read(row.payload),
        "pieces": selectors.evidence_of(row),
        "events": selectors.history_of(row),
        "is_there": is_there,
        "is_ready": is_there and row.status == READY_FOR_AUDIT,
        "flag_form": returned.get(FLAG) or FlagForm(),
    }
    return _draw(request, row, returned, context)


def draw_evidence(request: TenantRequest, row: EvidenceItem, returned: Returned) -> HttpResponse:
    """One evidence item with its files and comments."""
    is_there = row.gone_at is None and row.deleted_at is None
    context = {
        "said": remote.AuditEvidence.read(row.payload),
        "pieces": selectors.files_of(row),
        "steps": [(key, step.label, f"step-{key}") for key, step in steps_for(row).items()] if is_there else [],
        "events": selectors.done_here(row, EVIDENCE),
    }
    return _draw(request, row, returned, context)


def draw_control(request: TenantRequest, row: EngagementControl, returned: Returned) -> HttpResponse:
    """One control with an assessment for each segment, and its comments."""
    lines = selectors.assessments_of(row, selectors.segments_of(row.engagement))
    context = {
        "said": remote.AuditControl.read(row.payload),
        "assessments": [
            (each, returned.get(place_of(each.segment_id)) or _form_of(each), f"assess-{write_id(each.segment_id)}")
            for each in lines
        ],
        "events": selectors.done_here(row, CONTROL),
    }
    return _draw(request, row, returned, context)


PAGES: dict[type[Any], Callable[[TenantRequest, Any, Returned], HttpResponse]] = {
    InformationRequest: draw_request,
    EvidenceItem: draw_evidence,
    EngagementControl: draw_control,
}


def _draw(request: TenantRequest, row: Any, returned: Returned, context: dict[str, Any]) -> HttpResponse:
    page = PAGE_OF[type(row)]
    page_url = address_of(request, row)
    # The version of the page itself: a refresh for no reason would lose what was typed into a dialog that is closed again.
    of_all = {"row": row, "engagement": row.engagement, "page_url": page_url, "page_version": page_version(request, page_url)}
    comments = _comments(request, row, returned)
    fragment = page.partition("_")[0]
    return show(request, page, fragment=fragment, status=422 if returned else 200, **of_all, **context, **comments)


def place_of(key: str) -> str:
    """Name the place of a form that there are several of: of a segment, or of a comment."""
    return f"of {key}"


def _form_of(each: selectors.Assessed) -> AssessmentForm:
    return AssessmentForm(
        segment=each.segment_id,
        seen=each.version,
        state=each.state,
        justification=each.justification,
        key=write_id(each.segment_id),
    )


def _comments(request: TenantRequest, row: Any, returned: Returned) -> dict[str, Any]:
    """Return what a page shows of the comments on its object, with the forms for those that are the reader's own."""
    family, kind = FAMILIES[type(row)], PAGE_OF[type(row)].partition("_")[0]
    args = [request.tenant.slug, row.engagement.platform_id, row.platform_id]
    lines, left = [], dict(returned)
    for number, each in enumerate(selectors.comments_of(row, family.kind)):
        is_own = family.may_change and each.deleted_at is None and is_ones_own(each.payload, request.membership)
        form = (left.pop(place_of(each.platform_id), None) or CommentForm(text=each.text, key=str(number))) if is_own else None
        urls = _own_urls(row, [*args, each.platform_id]) if is_own else {}
        lines.append({"comment": each, "form": form, "key": f"comment-{number}", **urls})
    # What was typed into a comment that is no longer the reader's to change is no less worth.
    comment_form = next((form for form in left.values() if isinstance(form, CommentForm)), None)
    return {
        "comments": lines,
        "comment_form": comment_form or CommentForm(),
        "comment_url": reverse(f"engagements:comment_{kind}", args=args),
        "email": request.membership.user.email,
    }


def _own_urls(row: Any, args: list[str]) -> dict[str, str]:
    kind = OWN[type(row)]
    return {f"{verb}_url": reverse(f"engagements:{verb}_{kind}_comment", args=args) for verb in ("change", "delete")}
