"""What a page of the portal may ask of the browser: passkeys and the clipboard, nothing else."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

ALLOWED = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")
REFUSED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "display-capture",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""Nothing that Chromium lacks on some system, as it does `bluetooth` on Linux: that costs a warning on every page."""
VALUE = ", ".join([*(f"{name}=(self)" for name in ALLOWED), *(f"{name}=()" for name in REFUSED)])


def set_permissions_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: say so with every answer."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers["Permissions-Policy"] = VALUE
        return response

    return answer
