from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.lib.keyset import keyset_page
from portal.questionnaires import previously_approved, services
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.selectors import RESPONSE_ORDER
from portal.questionnaires.views.rendering import find, summary
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
def approve_unchanged(request: TenantRequest, platform_id: str) -> HttpResponse:
    """What was approved before in the same words: first shown, then approved in one go."""
    found = find(platform_id)
    if request.method != "POST":
        return ask(request, found)
    try:
        numbers = services.approve_unchanged(found, member=request.membership)
    except services.NotAllowed as error:
        return ask(request, found, refusal=str(error), status=422)
    messages.success(request, " ".join(outcome(numbers)))
    return redirect("questionnaires:review", slug=request.tenant.slug, platform_id=platform_id)


def ask(request: TenantRequest, found: Questionnaire, *, refusal: str = "", status: int = 200) -> HttpResponse:
    rows = previously_approved.review_findings(found, request.membership)
    numbers = previously_approved.numbers_of(rows)
    found_unchanged = rows.filter(previously_approved.IS_UNCHANGED).defer("payload")
    page = keyset_page(found_unchanged, order_by=RESPONSE_ORDER, cursor=request.GET.get("cursor"))
    context = summary(request, found) | {
        "count": numbers.get(previously_approved.Finding.UNCHANGED, 0),
        "left": previously_approved.left_in_words(numbers),
        "page": page,
        "precedents": previously_approved.with_precedents(page.rows),
        "refusal": refusal,
    }
    return render(request, "questionnaires/approve_unchanged.html", context, status=status)


def outcome(numbers: dict[str, int]) -> list[str]:
    """Say what was done, how many are left, and why."""
    done, left = numbers[previously_approved.Finding.UNCHANGED], previously_approved.left_in_words(numbers)
    words = [f"Approved {done} unchanged answer{'' if done == 1 else 's'}." if done else "No answers were unchanged."]
    return [*words, f"Left to review: {', '.join(left)}."] if left else words
