"""What an answer means: the only place that reads a status code (platform-api 1.4)."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from portal.platform_api import errors
from portal.platform_api.sending import Answer
from portal.platform_api.wire import decode

LONGEST_MESSAGE: Final = 200
LONGEST_TEXT: Final = 5000
"""As much of an error answer's text is searched for words."""
LONGEST_WAIT: Final = 3600.0
"""A Retry-After beyond this is not believed."""
MARKUP: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)

REFUSALS: Final[dict[int, type[errors.PlatformError]]] = {
    401: errors.AuthenticationFailed,
    403: errors.PermissionRefused,
    404: errors.NotFound,
    409: errors.Conflict,
}


def read_json(answer: Answer, method: str, template: str, *, secrets: Sequence[str] = ()) -> Any:
    """Return the decoded body of a success, None when there is none; raise what any other answer stands for."""
    check(answer, method, template, secrets=secrets)
    if not answer.content:
        return None
    try:
        return decode(answer.content)
    except ValueError:
        message = "the answer is not JSON"
        raise errors.UnexpectedAnswer(method, template, status=answer.status, message=message) from None


def check(answer: Answer, method: str, template: str, *, secrets: Sequence[str] = ()) -> None:
    """Raise the error that an answer's status stands for; 2xx raises nothing. `secrets` are cut out of its words."""
    status = answer.status
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        raise errors.RedirectRefused(method, template, status=status, message="this is not the API host")
    facts: dict[str, Any] = {
        "status": status,
        "message": read_message(answer.content, secrets=secrets),
        "request_id": answer.headers.get("x-request-id", "")[:100],
    }
    if status == 429:
        raise errors.RateLimited(method, template, retry_after=retry_after(answer.headers), **facts)
    if status >= 500:
        raise errors.Unavailable(method, template, retry_after=retry_after(answer.headers), **facts)
    if status in {400, 422}:
        raise errors.ValidationFailed(method, template, fields=read_fields(answer.content, secrets=secrets), **facts)
    raise REFUSALS.get(status, errors.PlatformError)(method, template, **facts)


def read_message(content: bytes, *, secrets: Sequence[str] = ()) -> str:
    """Find the words of an error answer, whatever its shape. Secrets that we sent are cut out of what came back."""
    decoded = try_decode(content)
    if isinstance(decoded, Mapping):
        for key in ("message", "error_description", "error"):
            if isinstance(value := decoded.get(key), str) and value.strip():
                return tidy(value, secrets)
        if decoded.get("errors"):
            return tidy("; ".join(read_fields(content, secrets=secrets).values())) or "Validation error"
        return ""
    text = without(secrets, content.decode("utf-8", "replace"))
    return tidy(MARKUP.sub(" ", text[:LONGEST_TEXT]))


def read_fields(content: bytes, *, secrets: Sequence[str] = ()) -> dict[str, str]:
    """Read the `errors` map of a validation answer: dotted path -> message. The values that were sent are left out."""
    decoded = try_decode(content)
    found = decoded.get("errors") if isinstance(decoded, Mapping) else None
    if not isinstance(found, Mapping):
        return {}
    return {tidy(path, secrets): tidy(words_of(entry), secrets) for path, entry in found.items()}


def words_of(entry: Any) -> str:
    words = entry.get("message", "") if isinstance(entry, Mapping) else entry
    return words if isinstance(words, str) else ""


def tidy(text: str, secrets: Sequence[str] = ()) -> str:
    """Make one short line of a text; control characters and halves of characters have no place in logs and pages."""
    # Secrets first: a cut through the middle of one would leave a half that nobody recognises.
    text = without(secrets, text)[:LONGEST_TEXT]
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:LONGEST_MESSAGE]


def try_decode(content: bytes) -> Any:
    try:
        return decode(content)
    except ValueError:
        return None


def without(secrets: Sequence[str], words: str) -> str:
    """Cut secrets that we sent out of words that came back."""
    for secret in filter(None, secrets):
        words = words.replace(secret, "<secret>")
    return words


def written_at(headers: Mapping[str, str]) -> datetime | None:
    """Read the `Date` of an answer; None where it says none, or where a cache has kept the answer (RFC 9111, Age)."""
    text = headers.get("Date", "")
    if not text or headers.get("Age", "0").strip() != "0":
        return None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After, seconds or a date; None when it is missing or senseless."""
    value = headers.get("Retry-After", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return min(max(seconds, 0.0), LONGEST_WAIT) if math.isfinite(seconds) else None
