from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT
from portal.commitments import services
from portal.commitments.data_kinds import kind_labels
from portal.commitments.filters import MATRIX_ORDER, MatrixFilters
from portal.commitments.forms import CommitmentForm
from portal.commitments.models import Commitment, Suggestion
from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

COMPARED = ("term", "contract", "clause", "page", "quote", "data_kinds", "notify", "zone", "country")


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new(request: TenantRequest) -> HttpResponse:
    """Write a promise down: first whose it is, then what it is."""
    account = chosen_account(request)
    if account is None:
        return ask_whose(request, heading="New commitment")
    form = CommitmentForm(request.POST or None, account=account)
    if request.method == "POST" and form.is_valid():
        added = services.add_commitment(account, form.promised, member=request.membership)
        messages.success(request, f"Added for {account}: {added}.")
        return redirect("commitments:commitment", slug=request.tenant.slug, commitment_id=added.pk)
    return show_form(request, form, account=account)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def change(request: TenantRequest, commitment_id: int) -> HttpResponse:
    """Change a promise. When somebody was faster, both are shown and nothing is stored."""
    found = get_object_or_404(Commitment.objects.select_related("contract"), pk=commitment_id)
    account = Account.objects.filter(platform_id=found.account_id).first()
    form = CommitmentForm(request.POST or None, account=account, account_id=found.account_id, commitment=found)
    if request.method != "POST" or not form.is_valid():
        # A form that was refused keeps what it was drawn with: whether somebody was faster shows when it is stored.
        seen = request.POST.get("seen", found.version)
        return show_form(request, form, account=account, commitment=found, seen=seen)
    try:
        services.change_commitment(found, form.promised, seen=request.POST.get("seen", ""), member=request.membership)
    except services.ChangedMeanwhile as conflict:
        now = conflict.commitment
        # The form comes again with what was typed and the present version: sending it then means it.
        both = differences(form, now)
        return show_form(request, form, account=account, commitment=now, seen=now.version, conflict=both)
    messages.success(request, "Commitment saved.")
    return redirect("commitments:commitment", slug=request.tenant.slug, commitment_id=commitment_id)


def chosen_account(request: TenantRequest) -> Account | None:
    """Return the customer that the address names; one that is gone gets no new promises."""
    account_id = request.GET.get("account", "")
    return Account.objects.present().filter(platform_id=account_id).first() if account_id else None


def ask_whose(request: TenantRequest, *, heading: str, suggestion: Suggestion | None = None) -> HttpResponse:
    """Ask for the customer: twenty thousand of them fit no list of choices."""
    filters = MatrixFilters.read(request.GET)
    page = keyset_page(
        MatrixFilters(q=filters.q).rows().defer("payload", "search"),
        order_by=MATRIX_ORDER,
        cursor=request.GET.get("cursor"),
        size=20,
    )
    context = {
        "heading": heading,
        "suggestion": suggestion,
        "filters": filters,
        "page": page,
        "readiness": readiness(ACCOUNT),
        "is_unknown": bool(request.GET.get("account")),
    }
    return render(request, f"commitments/whose.html{'#customers' if request.htmx else ''}", context)


def show_form(
    request: TenantRequest, form: CommitmentForm, *, account: Account | None, refusal: str = "", **context: Any
) -> HttpResponse:
    """Draw the form of a commitment. `refusal`: why what was typed could not be taken, although it is sound."""
    status = 409 if refusal else 422 if form.is_bound else 200
    whole = {"form": form, "account": account, "refusal": refusal, **context}
    return render(request, "commitments/form.html", whole, status=status)


def differences(form: CommitmentForm, now: Commitment) -> list[tuple[str, str, str]]:
    """Name what is stored now beside what was typed, where the two differ."""
    typed = form.promised
    mine = Commitment(**{name: value for name, value in typed.columns.items() if name not in ("contract", "data_kinds")})
    pairs = [("Promise", mine.promise, now.promise)]
    for name in COMPARED:
        ours, theirs = getattr(typed, name), getattr(now, name)
        if name == "term":
            ours, theirs = mine.get_term_display(), now.get_term_display()
        if name == "data_kinds":
            ours, theirs = (", ".join(sorted(kind_labels(kinds))) for kinds in (ours, theirs))
        pairs.append((str(form.fields[name].label), str(ours or ""), str(theirs or "")))
    if now.ended_at:
        pairs.append(("State", "in force", "ended"))
    return [(label, ours or "nothing", theirs or "nothing") for label, ours, theirs in pairs if ours != theirs]
