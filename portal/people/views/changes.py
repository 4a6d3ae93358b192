"""Putting people into a group and taking them out: what is asked first, how far it is, who was not changed and why."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.lib.row_keys import row_keys
from portal.page_refresh.services import cached_by_version, is_unchanged
from portal.people import services
from portal.people.filters import BY_NAME, PersonFilters, group_options
from portal.people.forms import GroupChoiceForm
from portal.people.kinds import AREA
from portal.people.models import Group, GroupItem, GroupRun, Person, Verb
from portal.people.search_hits import group_url
from portal.people.services.writes import EDITOR
from portal.people.views.rendering import page_version
from portal.platform_writes.models import MAX_ITEMS
from portal.platform_writes.run_pages import run_context, say_tried_again
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

NAMED = 5


@require_POST
@tenant_view(EDITOR)
def start_change(request: TenantRequest) -> HttpResponse:
    """Ask which group it is and say what will happen; once that is confirmed, begin."""
    filters = PersonFilters.read(request.GET)
    verb, keys = verb_of(request), chosen(request, filters)
    if not keys:
        messages.warning(request, "Nothing was changed: no one is selected.")
        return redirect(place_of(request, filters, verb))
    form = choice_form(request, filters) if verb == Verb.ADD else None
    if "confirmed" not in request.POST or (form and not form.is_valid()):
        return ask(request, filters, verb, keys, form)
    group_id = form.cleaned_data["group"] if form else filters.group
    group = get_object_or_404(Group, platform_id=group_id)
    try:
        run = services.start_group_run(verb, group, people=keys, member=request.membership)
    except services.NotPossible as refusal:
        return ask(request, filters, verb, keys, form, refusal=str(refusal))
    return redirect("people:run", slug=request.tenant.slug, run_id=run.pk)


def verb_of(request: TenantRequest) -> Verb:
    try:
        return Verb(request.POST.get("action", ""))
    except ValueError as error:
        raise Http404("no such change") from error


def choice_form(request: TenantRequest, filters: PersonFilters) -> GroupChoiceForm:
    data = request.POST if "confirmed" in request.POST else None
    return GroupChoiceForm(data, options=cached_by_version(AREA, "groups", group_options), chosen=filters.into)


def place_of(request: TenantRequest, filters: PersonFilters, verb: Verb) -> str:
    """Return the address of the page that a selection was made on."""
    slug = request.tenant.slug
    if verb == Verb.REMOVE and filters.group:
        return group_url(slug, filters.group)
    return reverse("people:list", args=[slug]) + filters.query()


def chosen(request: TenantRequest, filters: PersonFilters) -> list[int]:
    """The keys of the ticked rows, or of everything that the filters show; one more than a run takes tells of too many."""
    if "all" in request.POST:
        rows = filters.rows()
    else:
        rows = Person.objects.present().filter(pk__in=row_keys(request.POST.getlist("chosen")[: MAX_ITEMS + 1]))
    return list(rows.order_by(*filters.order_by).values_list("pk", flat=True)[: MAX_ITEMS + 1])


def ask(
    request: TenantRequest,
    filters: PersonFilters,
    verb: Verb,
    keys: list[int],
    form: GroupChoiceForm | None,
    *,
    refusal: str = "",
) -> HttpResponse:
    """Ask for what belongs to the verb. The selection travels with the form."""
    group_id = filters.into if verb == Verb.ADD else filters.group
    group = Group.objects.filter(platform_id=group_id).first() if group_id else None
    if verb == Verb.REMOVE and group is None:
        raise Http404("no such group")
    context: dict[str, Any] = {
        "form": form,
        "verb": verb,
        "group": group,
        "is_removal": verb == Verb.REMOVE,
        "count": len(keys),
        "is_too_many": len(keys) > MAX_ITEMS,
        "most": MAX_ITEMS,
        "is_all": "all" in request.POST,
        "chosen": [] if "all" in request.POST else keys,
        "names": names_of(keys[:NAMED]),
        "everybody": names_of(keys[:MAX_ITEMS]) if len(keys) > NAMED else (),
        "more": max(len(keys) - NAMED, 0),
        "action_url": request.get_full_path(),
        "back": place_of(request, filters, verb),
        "refusal": refusal,
    }
    return render(request, "people/change.html", context, status=422 if "confirmed" in request.POST else 200)


def names_of(keys: list[int]) -> list[Person]:
    return list(Person.objects.filter(pk__in=keys).only("name", "email").order_by(*BY_NAME))


@require_GET
@tenant_view(Role.VIEWER)
def run(request: TenantRequest, run_id: int) -> HttpResponse:
    """How far a change of a group is, who was not changed and why. Polls this same address while it is open."""
    found = get_object_or_404(GroupRun.objects.select_related("group"), pk=run_id)
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    items = GroupItem.objects.filter(run=found).select_related("person").defer("person__payload", "person__search")
    context = run_context(request, items) | {
        "run": found,
        "is_editor": request.membership.may(EDITOR),
        "page_version": seen,
    }
    return render(request, f"people/run.html{'#run' if request.htmx else ''}", context)


@require_POST
@tenant_view(EDITOR)
def retry(request: TenantRequest, run_id: int) -> HttpResponse:
    found = get_object_or_404(GroupRun, pk=run_id)
    number = services.retry_group_run(found, member=request.membership)
    say_tried_again(request, found, number)
    return redirect("people:run", slug=request.tenant.slug, run_id=run_id)
