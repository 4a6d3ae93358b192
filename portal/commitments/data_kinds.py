"""The kinds of data that a promise to give notice, or an incident, can be about."""

from collections.abc import Iterable

from django.db import models


class DataKind(models.TextChoices):
    """What somebody may have seen, changed or lost."""

    ANY = "any", "Not known yet"
    PERSONAL = "personal", "Personal data"
    SPECIAL = "special", "Special categories (GDPR Art. 9)"
    CREDENTIALS = "credentials", "Credentials and keys"
    CONTENT = "content", "Customer content"
    PAYMENT = "payment", "Payment data"
    USAGE = "usage", "Usage and log data"


PROMISED = [(kind.value, kind.label) for kind in DataKind if kind is not DataKind.ANY]
"""What a promise can name; one about any data names none."""


def kind_labels(keys: Iterable[str]) -> list[str]:
    """Call kinds as people do; one that is not known anymore by its key."""
    known = dict(DataKind.choices)
    return [known.get(key, key) for key in keys]
