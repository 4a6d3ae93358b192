"""What people type or import into an entry, as it can be stored. Raises ValidationError for what cannot."""

import re
from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Final

from django.core.exceptions import ValidationError

from portal.lib.storable import storable_text
from portal.library.lexicon import MAIL
from portal.library.models import MAX_LABEL, MAX_QUESTION
from portal.tenants.models import Membership, Role
from portal.users.models import User

REVIEW_AFTER: Final = timedelta(days=182)
"""Half a year: when an entry is looked at again if nobody says otherwise."""
MAX_LABELS: Final = 30
MAX_VARIANTS: Final = 60
SEPARATOR: Final = re.compile(r"[,;\n]")
EARLIEST, LATEST = date(2000, 1, 1), date(2100, 12, 31)


def one_line(text: str) -> str:
    return " ".join(storable_text(text).split())


def without_address(text: str) -> str:
    """Refuse a mail address where none is looked for when a person asks to be erased."""
    if MAIL.search(text):
        raise ValidationError("Leave email addresses out here.")
    return text


def label_names(text: str) -> list[str]:
    """Read tags or products, which commas or semicolons part; two that differ by their case are one."""
    names = {name.casefold(): name for name in reversed([one_line(each) for each in SEPARATOR.split(text)]) if name}
    if len(names) > MAX_LABELS:
        raise ValidationError(f"Enter at most {MAX_LABELS}.")
    if long := next((name for name in names.values() if len(name) > MAX_LABEL), ""):
        raise ValidationError(f"“{long[:MAX_LABEL]}…” is longer than {MAX_LABEL} characters.")
    return [without_address(name) for name in reversed(names.values())]


def questions_of(text: str) -> list[str]:
    """Read questions, one a line."""
    lines = list(dict.fromkeys(filter(None, (one_line(line) for line in text.splitlines()))))
    if len(lines) > MAX_VARIANTS:
        raise ValidationError(f"Enter at most {MAX_VARIANTS}.")
    if any(len(line) > MAX_QUESTION for line in lines):
        raise ValidationError(f"A question can have at most {MAX_QUESTION:,} characters.")
    return lines


def check_day(day: date) -> None:
    if not EARLIEST <= day <= LATEST:
        raise ValidationError(f"Choose a day between {EARLIEST.year} and {LATEST.year}.")


def owners(besides: Iterable[User] = ()) -> dict[int, User]:
    """Return who can own an entry: who may write here, and those who own it already."""
    members = Membership.objects.who_may(Role.ANALYST).select_related("user")
    found = {each.user_id: each.user for each in members.order_by("user__name", "pk")}
    return found | {user.pk: user for user in besides if user.pk not in found}


def owner_by_email(email: str, people: Collection[User]) -> User:
    for user in people:
        if user.email.casefold() == email.casefold():
            return user
    raise ValidationError("The owner is not an analyst here.")
