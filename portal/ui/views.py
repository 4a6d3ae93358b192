from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.ui import samples


@login_not_required
@require_GET
def styleguide(request: HttpRequest) -> HttpResponse:
    """Every component in every state, for whoever writes pages. Exists only while developing."""
    if not settings.DEBUG:
        raise Http404("the style guide is for development")
    return render(request, "ui/styleguide.html", samples.context())
