"""Bodies and filters of audits (platform-api 4.13)."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from portal.platform_api.bodies.compliance import Sections


class CustomControlExtras(TypedDict, total=False):
    sections: Sections
    role: str


class RequestFields(TypedDict, total=False):
    """What may accompany a new information request."""

    description: str | None
    cadence: str | None
    due_date: datetime | None
    evidence_capture_date: datetime | None
    additional_control_ids: Sequence[str]


class RequestChanges(RequestFields, total=False):
    unique_id: str
    title: str
    request_type: str
    framework_codes: Sequence[str]


class IssueFilters(TypedDict, total=False):
    """`order_by` is createdAt, lastModifiedAt or detectedAt; the newest come first unless told otherwise."""

    search: str
    snapshot_id_matches_any: Sequence[str]
    created_after_date: datetime
    created_before_date: datetime
    detected_after_date: datetime
    detected_before_date: datetime
    order_by: str
    order_direction: str


class CodeChangeFilters(TypedDict, total=False):
    """The sources are github, gitlab, bitbucket and azuredevops."""

    search: str
    sources_matches_any: Sequence[str]
    closed_after_date: datetime
    closed_before_date: datetime


class IntegrationFilters(TypedDict, total=False):
    search: str
    tags_matches_any: Sequence[str]
    categories_matches_any: Sequence[str]


class PersonFilters(TypedDict, total=False):
    search: str
    status: str
    groups_matches_any: Sequence[str]
    order_by: str


class VendorFilters(TypedDict, total=False):
    search: str
    vendor_statuses_matches_any: Sequence[str]
    inherent_risk_matches_any: Sequence[str]
    order_by: str
