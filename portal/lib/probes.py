"""Load balancers, supervisors and collectors of figures ask a web process by its address, which is no name of the site."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})


def welcome_probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the addresses for machines answer under any host. They have no link, so that no host gets into one."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info in PROBES:
            request.META["HTTP_HOST"] = urlsplit(settings.PUBLIC_URL).netloc
        return get_response(request)

    return answer
