"""Bodies and filters of vendors (platform-api 4.7)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from portal.platform_api.bodies.common import Pairs


class VendorFields(TypedDict, total=False):
    """`status` counts on creation only; `account_manager_email` has at most 100 characters (specification 8).

    None clears in a change; nothing of a new vendor may be None. Without an inherent risk the platform scores it itself.
    """

    website_url: str | None
    account_manager_name: str | None
    account_manager_email: str
    services_provided: str | None
    additional_notes: str | None
    security_owner_user_id: str | None
    business_owner_user_id: str | None
    contract_start_date: datetime | None
    contract_renewal_date: datetime | None
    contract_termination_date: datetime | None
    contract_amount: Mapping[str, Any] | None
    is_visible_to_auditors: bool
    category: str
    auth_details: Mapping[str, Any]
    status: str
    inherent_risk_level: str | None
    residual_risk_level: str
    vendor_headquarters: str | None
    custom_fields: Pairs
    framework_scope: Mapping[str, Any]


class VendorChanges(VendorFields, total=False):
    name: str
    risk_attribute_ids: Sequence[str]


class DocumentFacts(TypedDict, total=False):
    title: str
    description: str


class FindingParts(TypedDict, total=False):
    security_review_id: str
    document_id: str
    remediation: Mapping[str, Any]


class FindingChanges(TypedDict, total=False):
    """The review and the document of a finding stay what they are."""

    content: str
    risk_status: str
    remediation: Mapping[str, Any]
