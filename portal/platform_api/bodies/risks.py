"""Bodies and filters of issues and risk scenarios (platform-api 4.8, 4.9)."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from portal.platform_api.bodies.common import Pairs


class IssueFilters(TypedDict, total=False):
    """Dates are inclusive. `order_by` takes dueDate, createdDate, detectedDate, lastModifiedDate, status or severity."""

    search: str
    readable_issue_id_matches_any: Sequence[str]
    status_matches_any: Sequence[str]
    severity_matches_any: Sequence[str]
    source_matches_any: Sequence[str]
    type_matches_any: Sequence[str]
    template_matches_any: Sequence[str]
    close_reason_matches_any: Sequence[str]
    owner_id_matches_any: Sequence[str]
    audit_id_matches_any: Sequence[str]
    control_id_matches_any: Sequence[str]
    closed_after_date: datetime
    closed_before_date: datetime
    due_after_date: datetime
    due_before_date: datetime
    detected_after_date: datetime
    detected_before_date: datetime
    created_after_date: datetime
    created_before_date: datetime
    include_issues_without_due_date: bool
    include_only_issues_without_due_date: bool
    order_by: str
    order_direction: str


class RiskFilters(TypedDict, total=False):
    """Without `type` these are risk scenarios only. `order_by` takes description or createdAt."""

    include_ignored: bool
    owner_matches_any: Sequence[str]
    search_string: str
    category_matches_any: Sequence[str]
    cia_category_matches_any: Sequence[str]
    treatment_type_matches_any: Sequence[str]
    inherent_score_group_matches_any: Sequence[str]
    residual_score_group_matches_any: Sequence[str]
    review_status_matches_any: Sequence[str]
    type: str
    order_by: str


class RiskExtras(TypedDict, total=False):
    """What a risk scenario may have, new or changed. Nothing here may be None."""

    detailed_description: str
    is_sensitive: bool
    likelihood: int
    impact: int
    residual_likelihood: int
    residual_impact: int
    categories: Sequence[str]
    cia_categories: Sequence[str]
    treatment: str
    note: str
    custom_fields: Pairs
    identification_date: datetime


class RiskFields(RiskExtras, total=False):
    """`owner` is the e-mail address of a user. The register is needed unless `type` is Enterprise Risk, which has none."""

    risk_id: str
    risk_register: str
    owner: str
    type: str


class RiskChanges(RiskExtras, total=False):
    """None for the owner leaves a scenario without one."""

    description: str
    risk_register: str
    owner: str | None
