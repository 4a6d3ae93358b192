"""Bodies and filters of groups and people (platform-api 4.6)."""

from collections.abc import Mapping, Sequence
from typing import TypedDict


class GroupFields(TypedDict, total=False):
    description: str
    point_of_contact_email: str


class PersonChanges(TypedDict, total=False):
    """`name` has `first` and `last`, always both; `employment` has `startDate`, an ISO 8601 text."""

    name: Mapping[str, str]
    employment: Mapping[str, str]


class PeopleFilters(TypedDict, total=False):
    """`task_type_matches_any` and `task_status_matches_any` are accepted together only."""

    tasks_summary_status_matches_any: Sequence[str]
    task_type_matches_any: Sequence[str]
    task_status_matches_any: Sequence[str]
    email_and_name_filter: str
    group_ids_matches_any: Sequence[str]
    employment_status: str
