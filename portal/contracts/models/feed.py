from typing import ClassVar

from portal.calendars.models import Feed


class ContractFeed(Feed):
    """An address that a member's calendar reads the dates of this tenant's contracts from."""

    salt: ClassVar[str] = "portal.contracts.calendar-feed"
    action: ClassVar[str] = "contract_feed"
