from django.db import models


class Term(models.TextChoices):
    """What a contract can promise."""

    BREACH_NOTICE = "breach-notice", "Notice of a breach"
    SUBPROCESSOR_NOTICE = "subprocessor-notice", "Notice of a new subprocessor"
    DELETION = "deletion", "Deletion after the end"
    AUDIT_RIGHTS = "audit-rights", "Audit rights"
    DATA_LOCATION = "data-location", "Location of data"
    RETENTION = "retention", "Retention"
    AVAILABILITY = "availability", "Availability"
    OTHER = "other", "Another promise"


class Unit(models.TextChoices):
    """What the amount of a promise counts. Empty: it is a promise in words alone."""

    NONE = "", "no number"
    HOURS = "hours", "hours"
    DAYS = "days", "days"
    BUSINESS_DAYS = "business-days", "business days"
    MONTHS = "months", "months"
    TIMES_A_YEAR = "times-a-year", "times a year"
    PERCENT = "percent", "percent"
