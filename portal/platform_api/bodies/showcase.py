"""Bodies of what else the Trust Center shows (platform-api 4.5.1, 4.5.5 - 4.5.12)."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from portal.platform_api.bodies.common import Pairs


class TrustCenterChanges(TypedDict, total=False):
    title: str | None
    company_description: str | None
    privacy_policy: str | None
    aws_marketplace_listing: str | None
    contact_email: str | None
    custom_heading: str | None
    is_public: bool
    banner_setting: Mapping[str, Any]
    custom_theme: Mapping[str, Any] | None
    control_visibility_mode: str


class ResourceChanges(TypedDict, total=False):
    title: str
    is_public: bool
    description: str | None


class ControlCategoryChanges(TypedDict, total=False):
    name: str
    visibility: str
    status_visibility_override: str | None


class SubprocessorFields(TypedDict, total=False):
    url: str
    description: str
    location: str
    purpose: str


class SubprocessorChanges(TypedDict, total=False):
    """Name and address cannot be changed."""

    description: str | None
    location: str | None
    purpose: str | None


class UpdateFields(TypedDict, total=False):
    """`subscriber_group_ids` is needed with the target GROUPS. Notifications are real mails."""

    visibility_type: str
    notified_emails: Sequence[str]
    notification_target: str
    subscriber_group_ids: Sequence[str]


class Accounts(TypedDict, total=False):
    """Whose subscribers hear of an update: accounts with these fields and tags, as the platform spells them."""

    customFieldsFilter: Pairs
    tagsByCategory: Pairs


class SubscriberFields(TypedDict, total=False):
    customer_trust_account_id: str
    should_skip_email_verification: bool


class FrameworkFields(TypedDict, total=False):
    standard: str | None
    description: str


class FrameworkChanges(TypedDict, total=False):
    name: str
    standard: str | None
    description: str | None
