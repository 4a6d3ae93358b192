from typing import ClassVar

from portal.calendars.models import Feed


class CalendarFeed(Feed):
    """An address that a member's calendar reads the dates of this tenant's questionnaires from."""

    salt: ClassVar[str] = "portal.questionnaires.calendar-feed"
    action: ClassVar[str] = "calendar_feed"
