"""What an answer means: the only place that reads a status code (platform-api 1.4)."""

import logging
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from portal.platform_api import errors
from portal.platform_api.http import Answer
from portal.platform_api.wire import decode

logger = logging.getLogger(__name__)

MAX_MESSAGE_LENGTH: Final = 200
MAX_TEXT_LENGTH: Final = 5000
"""As much of an error answer's text is searched for words."""
MAX_WAIT: Final = 3600.0
"""A Retry-After beyond this is not believed."""
WORDED: Final = ("message", "error_description", "detail", "error", "title")
"""Where an error has its words: as observed (platform-api 1.4), or as RFC 9457 writes a problem."""
MARKUP: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
PAGE: Final = re.compile(r"<(?:!doctype|html|head|body|title|script|style|h[1-6]|center|div|p|pre|br|hr)\b", re.IGNORECASE)
"""What only a web page has. Its words are nobody's reason, and are never shown to people (guarantee R5)."""

REFUSALS: Final[dict[int, type[errors.PlatformError]]] = {
    401: errors.AuthenticationFailed,
    403: errors.PermissionRefused,
    404: errors.NotFound,
    409: errors.Conflict,
}

EXPIRED_LINK: Final = frozenset({400, 401, 403, 404, 410})
"""What storages answer to an address that is not good any more."""


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
    is_page = is_web_page(answer)
    if is_page:
        logger.debug("%s %s: %s with a page: %s", method, template, status, text_of_page(answer, secrets))
    facts: dict[str, Any] = {
        "status": status,
        "message": read_message(answer.content, secrets=secrets),
        "request_id": answer.headers.get("x-request-id", "")[:100],
    }
    if status == 429:
        raise errors.RateLimited(method, template, retry_after=retry_after(answer.headers), **facts)
    if status >= 500:
        raise errors.Unavailable(method, template, retry_after=retry_after(answer.headers), **facts)
    if is_page and status != 401:
        # A 401 says the same from whomever it comes: another token is needed.
        raise errors.NotAnApiAnswer(method, template, **facts | {"message": "a page instead of an answer"})
    if status in {400, 422}:
        raise errors.ValidationFailed(method, template, fields=read_fields(answer.content, secrets=secrets), **facts)
    if status == 404 and not is_in_own_words(answer.content):
        raise errors.NotAnApiAnswer(method, template, **facts | {"message": "a 404 that is not in the words of the API"})
    raise REFUSALS.get(status, errors.PlatformError)(method, template, **facts)


def check_storage(answer: Answer, method: str, template: str) -> None:
    """Raise what the refusal of a storage stands for. Its statuses mean other things than the platform's."""
    facts: dict[str, Any] = {"status": answer.status, "message": read_message(answer.content)}
    if answer.status == 429 or answer.status >= 500:
        raise errors.Unavailable(method, template, retry_after=retry_after(answer.headers), **facts)
    is_expired = answer.status in EXPIRED_LINK
    raise (errors.LinkExpired if is_expired else errors.StorageRefused)(method, template, **facts)


ENVELOPE: Final = (*WORDED, "errors", "code", "reason")


def is_in_own_words(content: bytes) -> bool:
    """Say whether an error is the platform's own and not that of something in between.

    The shape of its errors is left open (specification 7); one that says nothing at all about itself is not an error of an API.
    """
    decoded = try_decode(content)
    return isinstance(decoded, Mapping) and any(decoded.get(key) for key in ENVELOPE)


def is_web_page(answer: Answer) -> bool:
    """Say whether something in front of the API has answered: the API itself speaks JSON, or a few plain words."""
    if isinstance(try_decode(answer.content), dict | list):
        return False
    is_declared = "html" in answer.headers.get("content-type", "").lower()
    return is_declared or bool(PAGE.search(answer.content[:MAX_TEXT_LENGTH].decode("utf-8", "replace")))


def text_of_page(answer: Answer, secrets: Sequence[str]) -> str:
    """Make one short line of a page, for a log that only its operator reads."""
    text = without(secrets, answer.content.decode("utf-8", "replace"))
    return errors.EMAIL.sub("<email>", tidy(MARKUP.sub(" ", text[:MAX_TEXT_LENGTH])))


def read_message(content: bytes, *, secrets: Sequence[str] = ()) -> str:
    """Find the words of an error answer, whatever its shape; a web page has none that count.

    Secrets that we sent are cut out of what came back.
    """
    decoded = try_decode(content)
    if isinstance(decoded, Mapping):
        inner = decoded.get("error")
        for holder in (decoded, inner if isinstance(inner, Mapping) else {}):
            for key in WORDED:
                if isinstance(value := holder.get(key), str) and value.strip():
                    return plain(value, secrets)
        if decoded.get("errors"):
            return tidy("; ".join(read_fields(content, secrets=secrets).values())) or "Validation error"
        return ""
    return plain(content.decode("utf-8", "replace"), secrets)


def plain(text: str, secrets: Sequence[str]) -> str:
    """Make one short line of the platform's words; empty for those of a page."""
    text = without(secrets, text)
    return "" if PAGE.search(text[:MAX_TEXT_LENGTH]) else tidy(text)


def read_fields(content: bytes, *, secrets: Sequence[str] = ()) -> dict[str, str]:
    """Read the `errors` map of a validation answer: dotted path -> message. The values that were sent are left out."""
    decoded = try_decode(content)
    found = decoded.get("errors") if isinstance(decoded, Mapping) else None
    if not isinstance(found, Mapping):
        return {}
    return {tidy(path, secrets): plain(error_message(entry), secrets) for path, entry in found.items()}


def error_message(entry: Any) -> str:
    words = entry.get("message", "") if isinstance(entry, Mapping) else entry
    return words if isinstance(words, str) else ""


def tidy(text: str, secrets: Sequence[str] = ()) -> str:
    """Make one short line of a text; control characters and halves of characters have no place in logs and pages."""
    # Secrets first: a cut through the middle of one would leave a half that nobody recognises.
    text = without(secrets, text)[:MAX_TEXT_LENGTH]
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_MESSAGE_LENGTH]


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
    return min(max(seconds, 0.0), MAX_WAIT) if math.isfinite(seconds) else None
