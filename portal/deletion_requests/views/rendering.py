from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_cache_control

from portal.deletion_requests.models import DeletionRequest

NOT_CONNECTED = "This tenant is not connected to the platform. Nothing was sent and nothing was erased."


def find_row(reference: str) -> DeletionRequest:
    return get_object_or_404(DeletionRequest, reference=reference)


def render_unstored(request: HttpRequest, template: str, context: Mapping[str, object], *, status: int = 200) -> HttpResponse:
    """Draw a page that holds an address in full: no browser keeps it on disk."""
    response = render(request, f"deletion_requests/{template}", context, status=status)
    patch_cache_control(response, no_store=True)
    return response
