"""A short word to the person after a request of htmx; a plain request says it with `django.contrib.messages`."""

from django.http import HttpResponse
from django_htmx.http import trigger_client_event


def toast[R: HttpResponse](response: R, text: str, *, tone: str = "good", url: str = "", link: str = "") -> R:
    """Let the page show a toast once it has this answer, with a link if there is one. Tones: good, warn, bad, info."""
    return trigger_client_event(response, "toast", {"text": text, "tone": tone} | ({"url": url, "link": link} if url else {}))


def edit_open[R: HttpResponse](response: R) -> R:
    """Let the page put the focus into the first field of what this answer opens."""
    return trigger_client_event(response, "edit-open", {}, after="settle")
