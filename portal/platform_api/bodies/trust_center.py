"""Bodies and filters of the Trust Center (platform-api 4.5)."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict


class ApprovalTerms(TypedDict, total=False):
    """Left out: access never expires, an NDA is required, all that was requested is granted (platform-api 4.5.2)."""

    expiration_date: datetime
    is_nda_required: bool
    resource_ids: Sequence[str]
    access_level: str


class ViewerTerms(TypedDict, total=False):
    """Left out on creation: access never expires, all resources (platform-api 4.5.3)."""

    expiration_date: datetime | None
    resource_ids: Sequence[str] | None
    customer_trust_account_id: str | None


class ViewerChanges(ViewerTerms, total=False):
    is_nda_required: bool
    access_level: str


class ActivityFilters(TypedDict, total=False):
    """`after_date` is inclusive, `before_date` is not (platform-api 4.5.4)."""

    event_types_matches_any: Sequence[str]
    after_date: datetime
    before_date: datetime
