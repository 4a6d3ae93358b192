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
    note: str | None
    custom_fields: Pairs


class TestFilters(TypedDict, total=False):
    status_filter: Sequence[str]
    framework_filter: Sequence[str]
    integration_filter: Sequence[str]
    control_filter: Sequence[str]
    owner_filter: Sequence[str]
    category_filter: Sequence[str]
    is_in_rollout: bool
