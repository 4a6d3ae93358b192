from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_id
from portal.accounts.services import AREA as ACCOUNTS
from portal.commitments import services
from portal.commitments.comparison import compare
from portal.commitments.filters import INBOXES, SuggestionFilters
from portal.commitments.forms import CommitmentForm
from portal.commitments.models import TONES, Suggestion
from portal.commitments.places import contract_url
from portal.commitments.selectors import has_unread_texts, standards
from portal.commitments.views.tabs import tabs_of
from portal.commitments.views.writes import ask_whose, chosen_account, show_form
from portal.lib.keyset import keyset_page
from portal.lib.row_keys import row_key, row_keys
from portal.lib.spreadsheets import csv_answer
from portal.lib.unnamed import named
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

ORDER = ("id",)
COLUMNS = (
    *("Customer", "Account id", "Term", "Promise", "Contract", "Contract id", "Clause", "Page", "Contract wording"),
    *("Found", "State", "Decided", "Decided by"),
)


@require_GET
@tenant_view(Role.VIEWER)
def suggestions(request: TenantRequest) -> HttpResponse:
    """What patterns have found in contracts. `open` names the one beside the list. Polls this same address while it is open."""
    seen = version_at(area_version(services.AREA, ACCOUNTS, "contracts"), request.get_full_path())
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = SuggestionFilters.read(request.GET)
    rows = filters.rows().select_related("contract", "commitment").defer("contract__payload", "contract__search")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    selected = rows.filter(pk=row_key(request.GET.get("open", ""))).first()
    accounts = accounts_by_id(each.contract.account_id for each in [*page.rows, *([selected] if selected else [])])
    context = {
        "tabs": tabs_of(request, "suggestions"),
        "inboxes": filters.tabs(INBOXES, name="show"),
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": [(each, accounts.get(each.contract.account_id), row_url(filters, each)) for each in page.rows],
        "selected": selected,
        "pane": pane_of(request, selected, accounts) if selected else {},
        "has_unread": has_unread_texts(),
        "has_any": bool(page) or Suggestion.objects.exists(),
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"commitments/suggestions.html{'#inbox' if request.htmx else ''}", context)


def row_url(filters: SuggestionFilters, suggestion: Suggestion) -> str:
    query = filters.query()
    return f"{query}&open={suggestion.pk}" if query else f"?open={suggestion.pk}"


def pane_of(request: TenantRequest, selected: Suggestion, accounts: dict[str, Any]) -> dict[str, Any]:
    """What stands beside the list about one suggestion."""
    standard = standards().get(selected.term)
    comparison = compare(selected.term, selected, standard)
    return {
        "account": accounts.get(selected.contract.account_id),
        "contract_url": contract_url(selected.contract, selected.page, slug=request.tenant.slug),
        "standard": standard,
        "comparison": comparison,
        "tone": TONES[comparison.verdict],
    }


@require_POST
@tenant_view(Role.ANALYST)
def export_suggestions(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered suggestions as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = SuggestionFilters.read(request.GET)
    services.record_export("suggestions", filters.query(), member=request.membership)
    lines = list_lines(
        COLUMNS,
        lambda: filters.rows().select_related("contract").defer("contract__payload", "contract__search"),
        lines_of,
        tenant_id=request.tenant.pk,
        order_by=ORDER,
    )
    return csv_answer(lines, "suggested-commitments")


def lines_of(page: Sequence[Suggestion]) -> list[Line]:
    accounts = accounts_by_id(each.contract.account_id for each in page)
    return [cells(each, accounts.get(each.contract.account_id)) for each in page]


def cells(one: Suggestion, account: Account | None) -> Line:
    found, decided = [at and at.isoformat(timespec="seconds") for at in (one.found_at, one.decided_at)]
    where = (str(one.contract), one.contract.platform_id, one.clause, one.page, one.quote)
    promise = (account or "", one.contract.account_id, one.get_term_display(), one.promise)
    return (*promise, *where, found, one.get_state_display(), decided, one.decided_by_name)


@require_POST
@tenant_view(Role.ANALYST)
def accept(request: TenantRequest, suggestion_id: int) -> HttpResponse:
    """Take a suggestion as it is; the next one is opened."""
    found = get_object_or_404(Suggestion, pk=suggestion_id)
    try:
        commitment = services.accept(found, member=request.membership)
        messages.success(request, f"Accepted for {named(commitment.account_name)}: {commitment}.")
    except services.CustomerUnknown:
        return redirect("commitments:correct", slug=request.tenant.slug, suggestion_id=suggestion_id)
    except services.NotAccepted as reason:
        messages.warning(request, f"Nothing was accepted. {reason}")
    return to_next(request, suggestion_id)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def correct(request: TenantRequest, suggestion_id: int) -> HttpResponse:
    """The form filled in with a suggestion. Its customer is that of the contract, or is asked for first."""
    found = Suggestion.objects.select_related("contract").filter(pk=suggestion_id).first()
    if found is None:
        return show_gone(request)
    account = services.account_of(found) or chosen_account(request)
    if not found.is_open and request.method != "POST":
        messages.info(request, f"{found.decided_by_name} already decided this: {found.get_state_display().lower()}.")
        return back(request, found.pk)
    if account is None:
        return ask_whose(request, heading="Choose the contract's customer", suggestion=found)
    form = CommitmentForm(request.POST or None, account=account, suggestion=found)
    if request.method == "POST" and form.is_valid():
        try:
            commitment = services.accept_corrected(found, account, form.promised, member=request.membership)
        except services.SuggestionGone:
            return show_gone(request)
        except services.NotAccepted as reason:
            return show_form(
                request, form, account=account, suggestion=found, refusal=f"{reason} What you typed is still in the form."
            )
        messages.success(request, f"Accepted for {account}: {commitment}.")
        return to_next(request, suggestion_id)
    return show_form(request, form, account=account, suggestion=found)


def show_gone(request: TenantRequest) -> HttpResponse:
    """Draw what was typed about a suggestion that is gone: saving it adds a commitment. Raises Http404 if nothing was."""
    if "customer" not in request.POST:
        raise Http404
    account = Account.objects.present().filter(platform_id=request.POST.get("customer", "")).first()
    add_url = (
        f"{reverse('commitments:new', args=[request.tenant.slug])}?{urlencode({'account': account.platform_id})}"
        if account
        else ""
    )
    typed = request.POST.copy()
    form = CommitmentForm(typed, account=account)
    refusal = f"{services.GONE} What you typed is still in the form{'; saving it adds a commitment' if account else ''}."
    named_contract = request.POST.get("contract", "")
    if named_contract and not form.offers_contract(named_contract):
        typed["contract"] = ""
        refusal += " It names no contract anymore: that one doesn't belong to this customer yet."
    return show_form(request, form, account=account, refusal=refusal, action=add_url)


@require_POST
@tenant_view(Role.ANALYST)
def dismiss(request: TenantRequest, suggestion_id: int) -> HttpResponse:
    """Put a suggestion away, or bring it back; the next one is opened."""
    found = get_object_or_404(Suggestion, pk=suggestion_id)
    if "bring_back" in request.POST:
        services.bring_back(found, member=request.membership)
        messages.success(request, "Suggestion restored.")
        return to_next(request, suggestion_id)
    try:
        services.dismiss(found, member=request.membership)
        messages.success(request, "Dismissed. The same wording in this contract won't be suggested again.")
    except services.NotAccepted as reason:
        messages.warning(request, f"Nothing was dismissed. {reason}")
    return to_next(request, suggestion_id)


@require_POST
@tenant_view(Role.ANALYST)
def decide_many(request: TenantRequest) -> HttpResponse:
    """Accept or dismiss those that are chosen. What cannot be done is listed with its reason, to be tried again."""
    keys = row_keys(request.POST.getlist("chosen")[: services.MAX_AT_ONCE])
    rows = Suggestion.objects.select_related("contract").defer("contract__payload", "contract__search")
    chosen = list(rows.filter(pk__in=keys).order_by("pk"))
    accepts = request.POST.get("action") == "accept"
    outcome = services.decide_many(chosen, accepts=accepts, member=request.membership)
    if not chosen:
        messages.info(request, "Nothing was selected.")
        return back(request)
    verb = "accepted" if accepts else "dismissed"
    if not outcome.failed:
        messages.success(request, f"{outcome.done} {'suggestion' if outcome.done == 1 else 'suggestions'} {verb}.")
        return back(request)
    context = {
        "outcome": outcome,
        "verb": verb,
        "action": request.POST.get("action", ""),
        "failures": [
            (each, contract_url(each.suggestion.contract, each.suggestion.page, slug=request.tenant.slug))
            for each in outcome.failed
        ],
        "query": SuggestionFilters.read(request.GET).query(),
    }
    return render(request, "commitments/bulk_result.html", context)


def to_next(request: TenantRequest, suggestion_id: int) -> HttpResponse:
    """Open the suggestion that follows in the list, or the first one that is left."""
    rows = SuggestionFilters.read(request.GET).rows().order_by("pk")
    following = rows.filter(pk__gt=suggestion_id).first() or rows.first()
    return back(request, following.pk if following else None)


def back(request: TenantRequest, key: int | None = None) -> HttpResponse:
    query = SuggestionFilters.read(request.GET).query()
    opened = f"{'&' if query else '?'}open={key}" if key else ""
    return redirect(reverse("commitments:suggestions", args=[request.tenant.slug]) + query + opened)
