"""Bodies and filters of controls and tests (platform-api 4.10)."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from portal.platform_api.bodies.common import Pairs

type Sections = Sequence[Mapping[str, str]]
"""Each with `frameworkId` and `sectionId`."""


class ControlExtras(TypedDict, total=False):
    """What may accompany a new control."""

    sections: Sections
    role: str
    custom_fields: Pairs


class ControlChanges(TypedDict, total=False):
    name: str
    external_id: str
    description: str
    domain: str
    note: str
    custom_fields: Pairs


class TestFilters(TypedDict, total=False):
    """Each filter takes one value; the category is written in capitals (`ACCOUNTS_ACCESS`)."""

    status_filter: str
    framework_filter: str
    integration_filter: str
    control_filter: str
    owner_filter: str
    category_filter: str
    is_in_rollout: bool
