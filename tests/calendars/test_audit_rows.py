"""Guarantee R8: each change of office hours and holidays leaves its audit row."""

from datetime import date

from portal.calendars import services
from portal.calendars.models import Holiday
from tests.support.audit import recorded
from tests.support.members import find_member


def test_r8_hours_and_holidays(scoped, alice):
    member = find_member(user=alice)
    with recorded("calendar.set", "calendar.add_holidays", "calendar.remove_holiday", by="Alice Ames"):
        services.set_hours(zone="Europe/Berlin", week=[None] * 7, member=member)
        services.add_holidays({date(2027, 1, 1): "New Year"}, summary="Added a holiday.", member=member)
        services.remove_holiday(Holiday.objects.get(), member=member)
