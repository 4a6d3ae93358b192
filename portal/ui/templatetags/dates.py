"""The date filter of every template, which the settings load: Django's own, in the form that the reader has chosen."""

from datetime import date, datetime
from typing import Any

from django import template
from django.template import defaultfilters

from portal.lib.platform_days import day_of
from portal.users.dates import in_form

register = template.Library()


@register.filter
def as_day(value: datetime | None) -> date | datetime | None:
    """Take what the platform holds for a day as that day, wherever the reader is: a moment that is exactly midnight UTC."""
    return value and (day_of(value) or value)


@register.filter("date", expects_localtime=True, is_safe=False)
def date_in_form(value: date | datetime | None, pattern: str | None = None) -> Any:
    """Write a date by a pattern with the day first and 24 hours, which becomes the reader's."""
    return defaultfilters.date(value, in_form(pattern) if pattern else pattern)
