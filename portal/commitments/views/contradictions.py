from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_id
from portal.accounts.services import AREA as ACCOUNTS
from portal.commitments import services
from portal.commitments.models import Contradiction, Verdict
from portal.commitments.places import answer_url, contract_url, customer_url
from portal.commitments.selectors import open_contradictions
from portal.commitments.views.tabs import tabs_of
from portal.lib.keyset import keyset_page
from portal.lib.storable import storable_text
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.errors import EMAIL
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

ORDER = ("-id",)
ON_A_PAGE = 20
MAX_REASON_LENGTH = 300
SETTLED = "settled"
WORDS = {
    Verdict.HARDER: "Answer promises more",
    Verdict.EASIER: "Answer promises less",
    Verdict.UNKNOWN: "Answer differs",
}


@dataclass(frozen=True)
class Pair:
    """An answer beside the promise that it contradicts, with the pages on which both stand."""

    row: Contradiction
    account: Account | None
    contract_url: str
    customer_url: str
    answer_url: str

    @property
    def description(self) -> str:
        return WORDS.get(Verdict(self.row.verdict), WORDS[Verdict.UNKNOWN])

    @property
    def tone(self) -> str:
        return "bad" if self.row.verdict == Verdict.EASIER else "warn"


@require_GET
@tenant_view(Role.VIEWER)
def contradictions(request: TenantRequest) -> HttpResponse:
    """Answers that say another thing than a contract. Polls this same address while it is open."""
    seen = version_at(area_version(services.AREA, ACCOUNTS, "connection", "sync"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    return draw(request, seen=seen)


def draw(request: TenantRequest, *, seen: str, refused: Contradiction | None = None, reason: str = "") -> HttpResponse:
    """Draw the page; a reason that was refused stands in its field again."""
    show, asked = _show(request), request.GET.urlencode()
    list_url = reverse("commitments:contradictions", args=[request.tenant.slug])
    rows = Contradiction.objects.dismiss() if show else Contradiction.objects.open()
    rows = rows.select_related("commitment__contract", "response__questionnaire")
    heavy = ("commitment__contract__payload", "response__payload", "response__questionnaire__payload")
    page = keyset_page(rows.defer(*heavy), order_by=ORDER, cursor=request.GET.get("cursor"), size=ON_A_PAGE)
    context = {
        "tabs": tabs_of(request, "contradictions"),
        "inboxes": [
            {"label": "To review", "url": list_url, "count": open_contradictions(), "is_current": not show},
            {"label": "Dismissed", "url": f"{list_url}?show={SETTLED}", "is_current": bool(show)},
        ],
        "show": show,
        "query": f"?show={SETTLED}" if show else "",
        # A refused reason is drawn at another address than that of the page.
        "list_url": list_url,
        "asked": f"?{asked}" if asked else "",
        "page": page,
        "pairs": pairs_of(page.rows, request.tenant.slug),
        "readiness": readiness(QUESTIONNAIRE),
        "refused": refused,
        "reason": reason,
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    template = f"commitments/contradictions.html{'#contradictions' if request.htmx else ''}"
    return render(request, template, context, status=422 if refused else 200)


def pairs_of(rows: list[Contradiction], slug: str) -> list[Pair]:
    accounts = accounts_by_id(each.commitment.account_id for each in rows)
    return [_pair(each, accounts, slug) for each in rows]


def _pair(row: Contradiction, accounts: dict[str, Any], slug: str) -> Pair:
    commitment, response = row.commitment, row.response
    account = accounts.get(commitment.account_id)
    return Pair(
        row,
        account,
        contract_url=contract_url(commitment.contract, commitment.page, slug=slug),
        customer_url=customer_url(commitment.account_id, slug=slug) if account else "",
        answer_url=answer_url(response.questionnaire.platform_id, response.platform_id, slug=slug),
    )


@require_POST
@tenant_view(Role.ANALYST)
def resolve(request: TenantRequest, contradiction_id: int) -> HttpResponse:
    """Put a contradiction away with a reason, or list it again."""
    found = get_object_or_404(Contradiction.objects.select_related("commitment"), pk=contradiction_id)
    if "reopen" in request.POST:
        services.reopen(found, member=request.membership)
        messages.success(request, "Contradiction reopened.")
        return back(request)
    reason = " ".join(storable_text(request.POST.get("reason", "")).split())[:MAX_REASON_LENGTH]
    refusal = ""
    if not reason:
        refusal = "Enter why both can stay as they are."
    elif EMAIL.search(reason):
        refusal = "Leave email addresses out of the reason."
    else:
        try:
            services.resolve(found, reason=reason, seen=request.POST.get("seen", ""), member=request.membership)
            messages.success(request, "Dismissed. It will come back if the answer or the promise changes again.")
        except services.SaysOtherwise:
            refusal = "The answer has changed since you opened this page. Check it first."
    if refusal:
        messages.warning(request, f"Nothing was dismissed. {refusal}")
        return draw(request, seen="", refused=found, reason=reason)
    return back(request)


def back(request: TenantRequest) -> HttpResponse:
    query = f"?show={SETTLED}" if _show(request) else ""
    return redirect(reverse("commitments:contradictions", args=[request.tenant.slug]) + query)


def _show(request: TenantRequest) -> str:
    return SETTLED if request.GET.get("show") == SETTLED else ""
