"""What can be written, as typed keyword arguments. Every field may be left out; where None is allowed it clears."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

type Owner = Mapping[str, str]
"""`type` (User or Team) and `id`."""
type Pairs = Sequence[Mapping[str, Any]]


class QuestionnaireOrigin(TypedDict, total=False):
    """What may accompany a new questionnaire (platform-api 4.1.4)."""

    owner_assignment: Owner
    approver_assignment: Owner
    description: str
    company_url: str
    due_date: datetime
    customer_trust_account_id: str
    include_untagged_entities_for_category_ids: Sequence[str]
    metadata: Pairs
    tag_and_category_ids: Pairs


class QuestionnaireChanges(TypedDict, total=False):
    """`metadata` and `tag_and_category_ids` replace the whole set; `status` takes six values only (platform-api 4.1.4)."""

    display_name: str
    due_date: datetime | None
    status: str
    owner_assignment: Owner | None
    approver_assignment: Owner | None
    metadata: Pairs
    tag_and_category_ids: Pairs


class QuestionnaireFilters(TypedDict, total=False):
    """There is no "changed since" (platform-api 4.1.2)."""

    q: str
    status_matches_any: Sequence[str]
    type_matches_any: Sequence[str]
    created_after: datetime
    created_before: datetime
    owner_id_matches_any: Sequence[str]
    approver_id_matches_any: Sequence[str]


class AccountFields(TypedDict, total=False):
    """Accepted on creation only: `nda_details` and `access_config` (platform-api 4.1.7)."""

    name: str
    email_domain: str
    nda_details: Mapping[str, bool]
    access_config: Mapping[str, Any]
    custom_fields: Pairs
    tags_by_category: Pairs


class AccountFilters(TypedDict, total=False):
    search_string: str
    is_auto_approval_enabled: bool


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
