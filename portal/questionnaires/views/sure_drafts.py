from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.lib.row_keys import row_keys
from portal.questionnaires import services
from portal.questionnaires.draft_pages import shown_drafts
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.views.rendering import find, summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

MAX_SHOWN = 200
"""Drafts on the page: nothing is saved that was not shown."""


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def save_drafts(request: TenantRequest, platform_id: str) -> HttpResponse:
    """The drafts that answer the very same question: first shown to be read, then those that are ticked are saved."""
    found = find(platform_id)
    if request.method != "POST":
        return ask(request, found)
    keys = row_keys(request.POST.getlist("draft")[:MAX_SHOWN])
    try:
        run = services.save_sure_drafts(found, drafts=keys, member=request.membership)
    except services.NotAllowed as refusal:
        return ask(request, found, refusal=str(refusal), status=422)
    return redirect("questionnaires:bulk_run", slug=request.tenant.slug, run_id=run.pk)


def ask(request: TenantRequest, found: Questionnaire, *, refusal: str = "", status: int = 200) -> HttpResponse:
    rows = services.sure_drafts(found)
    count = rows.count()
    shown = shown_drafts(list(rows.select_related("response").defer("response__search")[:MAX_SHOWN]), request.tenant.slug)
    context = summary(request, found) | {"count": count, "drafts": shown, "refusal": refusal}
    return render(request, "questionnaires/save_drafts.html", context, status=status)
