"""A small site to look at: the navigation's addresses, one page, and a region that refreshes itself."""

from itertools import count

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import engines
from django.urls import include, path

from portal.single_sign_on.urls import sign_in_urlpatterns
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.toasts import toast

LIVE = """
{% extends "base.html" %}{% block title %}Live{% endblock %}{% block main %}<h1>Live</h1>
<button class="btn" hx-post="/toast/" hx-swap="none">Toast</button>
<div id="desk"><a href="/live/" hx-get="/live/" hx-select="#desk" hx-target="#desk" hx-swap="outerHTML">Open</a></div>
<button class="btn" hx-post="/broken/" hx-swap="none">Broken</button>
{% partialdef region inline %}
<div id="region" data-live hx-get="/live/" hx-select="#region" hx-trigger="every 200ms" hx-swap="outerHTML">
<p id="number">{{ number }}</p><a href="/elsewhere/">a link</a><input id="note" aria-label="Note">
<table class="tbl"><tbody>{% for row in rows %}<tr>
<td><label class="pick"><input type="checkbox" value="{{ row }}" aria-label="Select {{ row }}"></label></td>
<td><span class="c-t"><a class="t" href="/rows/{{ row }}/">{{ row }}</a></span></td></tr>{% endfor %}</tbody></table>
</div>{% endpartialdef %}{% endblock %}
"""
numbers = count()
SENDING = """
{% extends "base.html" %}{% block title %}Sending{% endblock %}{% block main %}<h1>Sending</h1><p id="sent"></p>
<form id="sending" hx-post="/sent/" hx-target="#sent" data-send-by-key><label>Text<textarea name="text"></textarea></label>
<button name="do" value="first">First</button><button name="do" value="second">Second</button>
<button name="other" value="third">Third</button>
</form><button form="sending" name="do" value="outside">Outside</button>
<button form="sending" formaction="/sent/elsewhere/">Elsewhere</button>
<details class="menu" data-menu><summary class="btn">Menu</summary><div class="menu-list">
<form hx-post="/sent/" hx-target="#sent">
<label>Note<input name="text"></label><button name="do" value="menu">Send</button></form></div></details>
<details class="menu" data-menu><summary class="btn">Choices</summary><div class="menu-list">
<form hx-post="/sent/" hx-target="#sent">
<button name="do" value="one">One</button><button name="do" value="two">Two</button></form></div></details>
<button data-open-dialog="asked" type="button">Ask</button>
<dialog class="dialog" id="asked" aria-label="Asked"><form hx-post="/sent/" hx-target="#sent">
<label>Why<input name="text" required></label>
<button type="button" data-close-dialog>Cancel</button>
<button name="do" value="dialog">Yes</button></form></dialog>
<button data-open-dialog="leaving" type="button">Leave</button>
<dialog class="dialog" id="leaving" aria-label="Leaving"><form hx-post="/leave/" hx-target="#leaving" hx-swap="outerHTML">
<button>Really</button></form></dialog>{% endblock %}
"""


@login_not_required
def live(request: HttpRequest) -> HttpResponse:
    page = engines["django"].from_string(LIVE)
    if request.COOKIES.get("signed_out"):
        return HttpResponse(status=302, headers={"Location": "/accounts/login/"})
    return HttpResponse(page.render({"number": next(numbers), "rows": ["first", "second", "third"]}, request))


@login_not_required
def say(request: HttpRequest) -> HttpResponse:
    return toast(HttpResponse(status=204), "It is <b>done</b>.")


@login_not_required
def leave(request: HttpRequest) -> HttpResponse:
    return toast(HttpResponse('<p id="left">Left</p>'), "It is done.")


@login_not_required
def sending(request: HttpRequest) -> HttpResponse:
    return HttpResponse(engines["django"].from_string(SENDING).render({}, request))


@login_not_required
def sent(request: HttpRequest, place: str = "") -> HttpResponse:
    """Tell what was sent: each name with its values, and where to."""
    if request.COOKIES.get("signed_out"):
        return HttpResponse(status=302, headers={"Location": "/accounts/login/"})
    fields = [f"{name}={','.join(values)}" for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"]
    return HttpResponse(" ".join([*fields, place]).strip())


@login_not_required
def broken(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=503)


@tenant_view(Role.VIEWER)
def desk(request: TenantRequest) -> HttpResponse:
    return render(request, "ui/styleguide.html", {})


@login_not_required
def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


@login_not_required
def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret detail")


@login_not_required
def lose_database(request: HttpRequest) -> HttpResponse:
    raise OperationalError("a secret detail")


@login_not_required
def speak(request: HttpRequest) -> HttpResponse:
    messages.error(request, "<script>not run</script>")
    return render(request, "message.html", {"title": "Refused", "action_url": "/", "action_label": "Back"})


handler500 = "portal.lib.outages.server_error"
desks = {"today": "today", "questionnaires": "list", "access_requests": "list", "contracts": "list"}
urlpatterns = [
    *sign_in_urlpatterns,
    path("accounts/", include("allauth.urls")),
    path("styleguide/", include("portal.ui.urls")),
    path("portfolio/", speak, name="portfolio"),
    path("live/", live),
    path("toast/", say),
    path("sending/", sending),
    path("leave/", leave),
    path("sent/", sent),
    path("sent/<str:place>/", sent),
    path("broken/", broken),
    path("refuse/", refuse),
    path("crash/", crash),
    path("lose-database/", lose_database),
    path("speak/", speak),
    *(path(f"t/<slug:slug>/{name}/", include(([path("", desk, name=page)], name))) for name, page in desks.items()),
]
