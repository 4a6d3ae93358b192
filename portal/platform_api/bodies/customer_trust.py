"""Bodies and filters of customer trust (platform-api 4.1)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from portal.platform_api.bodies.common import Owner, Pairs


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
