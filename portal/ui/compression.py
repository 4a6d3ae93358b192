"""Pages are compressed, and nothing else: files are compressed ahead, receipts are empty, downloads are packed."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressPages(GZipMiddleware):
    """Compress HTML. Django adds a random number of bytes, and masks its CSRF token anew each time, so that the length tells
    nobody what the page holds (the attack is known as BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)
