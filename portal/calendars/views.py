from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.calendars import services
from portal.calendars.countries import countries, public_holidays
from portal.calendars.forms import CountryForm, HolidayForm, HoursForm
from portal.calendars.models import Holiday
from portal.calendars.selectors import office_hours, office_time
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD"])
@tenant_view(Role.VIEWER)
def hours(request: TenantRequest) -> HttpResponse:
    """When the tenant works; everybody reads it, admins change it."""
    return show(request)


@require_POST
@tenant_view(Role.ADMIN)
def set_hours(request: TenantRequest) -> HttpResponse:
    form = HoursForm(request.POST, hours=office_hours())
    if not form.is_valid():
        return show(request, form=form)
    services.set_hours(zone=form.cleaned_data["zone"], week=form.week, member=request.membership)
    messages.success(request, "Office hours saved. Targets are being recalculated.")
    return redirect("calendars:hours", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def add_holiday(request: TenantRequest) -> HttpResponse:
    form = HolidayForm(request.POST)
    if not form.is_valid():
        return show(request, holiday_form=form)
    day, name = form.cleaned_data["day"], form.cleaned_data["name"]
    if services.add_holidays({day: name}, summary=f"Added the holiday {name} on {day}.", member=request.membership):
        messages.success(request, f"Added: {name}.")
    else:
        messages.info(request, "This day is already a holiday.")
    return redirect("calendars:hours", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def add_country(request: TenantRequest) -> HttpResponse:
    form = CountryForm(request.POST)
    if not form.is_valid():
        return show(request, country_form=form)
    country, year = form.cleaned_data["country"], form.cleaned_data["year"]
    name = dict(countries())[country]
    summary = f"Added the public holidays of {name} in {year}."
    number = services.add_holidays(public_holidays(country, year), summary=summary, member=request.membership)
    added = f"Added {number} holiday{'s' if number != 1 else ''} for {name} in {year}."
    messages.success(request, added if number else "All of them were already added.")
    return redirect("calendars:hours", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def remove_holiday(request: TenantRequest, holiday_id: int) -> HttpResponse:
    holiday = get_object_or_404(Holiday, pk=holiday_id)
    services.remove_holiday(holiday, member=request.membership)
    messages.success(request, f"Removed: {holiday}.")
    return redirect("calendars:hours", slug=request.tenant.slug)


def show(request: TenantRequest, **forms: HoursForm | HolidayForm | CountryForm) -> HttpResponse:
    """Draw the page; a form that was refused is shown with its errors."""
    context = {
        "form": HoursForm(hours=office_hours()),
        "holiday_form": HolidayForm(auto_id="holiday-%s"),
        "country_form": CountryForm(auto_id="country-%s"),
        "office_time": office_time(),
        "holidays": Holiday.objects.all(),
        "may_change": request.membership.may(Role.ADMIN),
    }
    return render(request, "calendars/hours.html", context | forms, status=422 if forms else 200)
