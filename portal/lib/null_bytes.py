"""No text of the database holds the character NUL: PostgreSQL refuses it, and no honest address has one."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse


def refuse_nul(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: an address with a NUL in it is not found. What people type is cleaned by forms and filters."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            raise Http404
        return get_response(request)

    return answer
