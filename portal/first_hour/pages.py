"""What the page of a step shows besides its form, and where it leads."""

from django.conf import settings
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from portal.first_hour.selectors import first_hour
from portal.lib.environment import is_loopback
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest


def step_page(request: TenantRequest, key: str, *, status: int = 200, **extra: object) -> HttpResponse:
    """Answer with the page of a step; an open page that asks for news gets the parts that tick by themselves."""
    hour = first_hour()
    if is_poll(request) and is_unchanged(request, hour.page_version):
        return HttpResponse(status=204)
    following = hour.after(key)
    context = {
        "hour": hour,
        "standing": hour.standing(key),
        "number": hour.number(key),
        "following": following,
        "following_url": reverse(following.url_name if following else "today:today", args=[request.tenant.slug]),
        "console_url": f"{settings.PLATFORM_API_URL}/console/" if is_loopback(settings.PLATFORM_API_URL) else "",
    }
    form = extra.get("form")
    # Where the address has to be taken elsewhere first, the field is not what a person begins with.
    if isinstance(form, Form) and key != "webhooks" and not hour.standing(key).is_done:
        next(iter(form.fields.values())).widget.attrs["autofocus"] = True
    template = "first_hour/_news.html" if is_poll(request) else f"first_hour/{key}.html"
    return render(request, template, context | extra, status=status)


def is_poll(request: TenantRequest) -> bool:
    """Say whether an open page asks what has changed."""
    return bool(request.htmx) and request.method == "GET"


def go_on(request: TenantRequest, key: str) -> HttpResponse:
    """Lead to the next step that is left, or to Today once there is none."""
    following = first_hour().after(key)
    return redirect(following.url_name if following else "today:today", slug=request.tenant.slug)
