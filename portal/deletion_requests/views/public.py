from allauth.core import ratelimit
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from portal.deletion_requests import services
from portal.deletion_requests.forms import PublicForm
from portal.deletion_requests.models import IntakeLink
from portal.deletion_requests.views.rendering import render_unstored
from portal.tenants.scope import tenant_scope


@sensitive_post_parameters("email")
@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
def ask_for_erasure(request: HttpRequest, token: str) -> HttpResponse:
    """Where a person asks to be erased, without a login. Tells nothing about anybody, also not afterwards."""
    link = services.open_link(token)
    if link is None:
        return render(request, "link_unknown.html", status=404)
    with tenant_scope(link.tenant_id):
        answer = take(request, link) if request.method == "POST" else draw(request, link, PublicForm())
    patch_cache_control(answer, private=True)
    answer["X-Robots-Tag"] = "noindex"
    return answer


@sensitive_variables("form")
def take(request: HttpRequest, link: IntakeLink) -> HttpResponse:
    form = PublicForm(request.POST)
    if not form.is_valid():
        return draw(request, link, form, status=422)
    if not ratelimit.consume(request, action="erasure_request"):
        return draw(request, link, form, status=429)
    try:
        services.receive_by_link(form.cleaned_data["email"])
    except services.TooManyRequests:
        return draw(request, link, form, status=429)
    # Not a redirect: there is nothing that the next page could be asked for by an address.
    return draw(request, link, None)


def draw(request: HttpRequest, link: IntakeLink, form: PublicForm | None, *, status: int = 200) -> HttpResponse:
    context = {"tenant": link.tenant, "form": form, "is_full": status == 429}
    return render_unstored(request, "public.html", context, status=status)
