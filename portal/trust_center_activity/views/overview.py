from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.page_refresh.services import cached_by_version, is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center_activity import display_names, selectors
from portal.trust_center_activity.figures import Figures, ranking
from portal.trust_center_activity.filters import NOBODY, ActivityFilters, ConversationFilters
from portal.trust_center_activity.forms import WordForm
from portal.trust_center_activity.models import ACTIVITY, AREA, CONVERSATION, Activity
from portal.trust_center_activity.pages import page_version
from portal.users.dates import in_form

LATEST = 20
TONES = {"PAGE_VIEW": "muted", "RESOURCE_VIEW": "info", "RESOURCE_DOWNLOAD": "good", "VIDEO_PLAY": "accent"}


@require_GET
@tenant_view(Role.VIEWER)
def overview(request: TenantRequest) -> HttpResponse:
    """What visitors look at, over time and by company, document and kind. The figures poll this same address."""
    return show_overview(request)


def show_overview(request: TenantRequest, *, word_form: WordForm | None = None, status: int = 200) -> HttpResponse:
    """Draw the page; a form that was refused is shown with its errors."""
    seen = page_version(request, "trust_center_activity")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    filters = ActivityFilters.read(request.GET)
    # After a POST that is not the address it was sent to.
    page_url = reverse("trust_center_activity:overview", args=[request.tenant.slug])
    context = {
        "filters": filters,
        "tabs": filters.period_tabs(page_url),
        "selects": filters.activity_selects(
            subjects=display_names.subject_options(), countries=display_names.country_options()
        ),
        "domains": display_names.domain_options(),
        "readiness": readiness(ACTIVITY, CONVERSATION, needs_trust_center=True),
        "page_version": seen,
        "words": selectors.word_lines(request.user),
        "word_form": word_form or WordForm(),
        "may_watch": request.membership.may(Role.ANALYST),
        "nobody": NOBODY,
        **figures_context(filters),
    }
    is_piece = request.htmx and request.htmx.target == "trust_center_activity"
    return render(
        request, f"trust_center_activity/overview.html{'#trust_center_activity' if is_piece else ''}", context, status=status
    )


def figures_context(filters: ActivityFilters) -> dict[str, Any]:
    """The numbers behind the charts, by form of dates; they stay until something changes, and until the day does."""
    what = f"{filters.days} {sorted(filters.narrowed.items())} {in_form('j M')}"
    key = f"figures:{blake2b(what.encode(), digest_size=16).hexdigest()}"
    return cached_by_version(AREA, key, lambda: compute_figures(filters))


def compute_figures(filters: ActivityFilters) -> dict[str, Any]:
    figures = Figures(filters)
    domains, subjects, types = (figures.per(side) for side in ("domain", "subject", "event_type"))
    by_domain, other_domains = ranking(domains, display_names.domain_names(domains).items())
    by_subject, other_subjects = ranking(subjects, display_names.subject_names(subjects.keys()).items())
    names = display_names.type_names(types)
    return {
        "has_any": bool(figures.total) or Activity.objects.exists(),
        "total": figures.total,
        "companies": sum(1 for domain in domains if domain),
        "downloads": types["RESOURCE_DOWNLOAD"],
        "views": types["RESOURCE_VIEW"],
        "line": figures.line(),
        "by_domain": by_domain,
        "other_domains": other_domains,
        "by_subject": by_subject,
        "other_subjects": other_subjects,
        "by_type": [(names[each], number, TONES.get(each, "warn")) for each, number in types.most_common()],
    }


@require_GET
@tenant_view(Role.VIEWER)
def of_domain(request: TenantRequest, domain: str) -> HttpResponse:
    """What the people of one mail domain did: who, what and when."""
    seen = page_version(request, "trust_center_activity")
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    query = request.GET.dict() | {"domain": domain}
    filters = ActivityFilters.read(query)
    key = "" if filters.domain == NOBODY else filters.domain
    rows = filters.rows()
    latest = list(rows.defer("payload").order_by("-at", "-id")[:LATEST])
    context = {
        "domain": filters.domain,
        "name": display_names.domain_names([key])[key],
        "filters": filters,
        "tabs": filters.period_tabs(request.path, domain=""),
        "readiness": readiness(ACTIVITY, CONVERSATION, needs_trust_center=True),
        "people": selectors.people_of(rows),
        "latest": with_subjects(latest),
        "conversations": ConversationFilters(domain=filters.domain).rows().order_by("-created_at", "-id")[:LATEST],
        "page_version": seen,
        **figures_context(filters),
    }
    is_piece = request.htmx and request.htmx.target == "trust_center_activity"
    return render(request, f"trust_center_activity/domain.html{'#trust_center_activity' if is_piece else ''}", context)


def with_subjects(rows: Sequence[Activity]) -> list[tuple[Activity, str]]:
    """Give each entry with the name of what was looked at."""
    names = display_names.subject_names({row.subject for row in rows})
    return [(row, names[row.subject]) for row in rows]
