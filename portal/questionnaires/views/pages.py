from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from portal.calendars.selectors import office_time
from portal.page_refresh.services import area_version, is_unchanged, own_version, version_at
from portal.questionnaires import services
from portal.questionnaires.account_names import named_accounts
from portal.questionnaires.activity import activity_page
from portal.questionnaires.answer_origins import DAYS, answer_origins, recent_answer_origins
from portal.questionnaires.clock_selectors import time_in_state
from portal.questionnaires.filters import ALL, QuestionnaireFilters
from portal.questionnaires.models import StatusLink
from portal.questionnaires.services.saved_answers import WORK_GAP
from portal.questionnaires.tag_names import AREAS, tag_links, tags_of_rows
from portal.questionnaires.views.lists import listing
from portal.questionnaires.views.rendering import find, render_desk, summary
from portal.questionnaires.views.shares import public_url
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

WORK_GAP_MINUTES = int(WORK_GAP.total_seconds()) // 60


@require_GET
@tenant_view(Role.VIEWER)
def questionnaire_list(request: TenantRequest) -> HttpResponse:
    """All questionnaires. The results on the page poll this same address while it is open."""
    seen = version_at(area_version(*AREAS), request.get_full_path(), "results")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = QuestionnaireFilters.read(request.GET)
    context = listing(request, filters) | {"page_version": seen}
    if request.membership.may(Role.ANALYST) and context["has_any"] and not request.htmx:
        services.ask_for_owners()
    return render(request, f"questionnaires/list.html{'#results' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def questionnaire(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One questionnaire with its questions."""
    return render_desk(request, find(platform_id))


@require_GET
@tenant_view(Role.VIEWER)
def activity(request: TenantRequest, platform_id: str) -> HttpResponse:
    """What happened to a questionnaire, on the platform and here."""
    found = find(platform_id)
    seen = version_at(found.version, request.get_full_path(), "events")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    shown = activity_page(found, cursor=request.GET.get("cursor", ""))
    context = summary(request, found) | {"events": shown.events, "page": shown.page, "events_version": seen}
    return render(request, f"questionnaires/activity.html{'#events' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
@cache_control(no_store=True)  # it shows an address that opens without signing in
def details(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Everything else that the platform tells of a questionnaire."""
    found = find(platform_id)
    seen = version_at(
        own_version(f"{found.version}.{area_version('tags')}", "questionnaires", "tags"), request.get_full_path(), "facts"
    )
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    link = StatusLink.objects.alive().filter(questionnaire=found).first()
    context = summary(request, found) | {
        "facts_version": seen,
        "status_url": link and public_url(link),
        "tags": tag_links(tags_of_rows([found])[found.pk], lambda key: QuestionnaireFilters(stage=ALL, tag=key).link()),
        "account": named_accounts([found.account_id], slug=request.tenant.slug).get(found.account_id),
        "time": time_in_state(found, office_time(), now=timezone.now()),
        "origins": answer_origins(found),
        "days": DAYS,
        "work_gap": WORK_GAP_MINUTES,
    }
    return render(request, f"questionnaires/details.html{'#facts' if request.htmx else ''}", context)


@require_GET
@tenant_view(Role.VIEWER)
def numbers(request: TenantRequest) -> HttpResponse:
    """How the answers of the newest questionnaires came about. Polls this same address while it is open."""
    seen = version_at(area_version("questionnaires"), request.get_full_path(), "numbers")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    count, origins = recent_answer_origins(now=timezone.now())
    context = {
        "questionnaire_count": count,
        "origins": origins,
        "days": DAYS,
        "work_gap": WORK_GAP_MINUTES,
        "page_version": seen,
    }
    return render(request, f"questionnaires/numbers.html{'#numbers' if request.htmx else ''}", context)
