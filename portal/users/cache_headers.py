"""Pages about somebody's account are kept by no cache and by no browser: they show seeds, codes and sessions."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

ACCOUNTS = "/accounts/"


def keep_accounts_nowhere(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Say so with every answer below `/accounts/`, whoever drew it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(ACCOUNTS):
            add_never_cache_headers(response)
        return response

    return middleware
