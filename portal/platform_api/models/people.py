"""Groups and people (specification 2.1, platform-api 4.6)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.remote import Listed, Moment, Remote


class PointOfContact(Remote):
    """Whom to ask about a group."""

    email: str = ""
    display_name: str | None = None


class Group(Listed):
    """A group of people, made by hand or imported from an identity provider."""

    name: str
    creation_date: Moment | None = None
    description: str | None = None
    source: str = ""
    personnel_count: int = 0
    point_of_contact: PointOfContact | None = None


class IdpGroup(Listed):
    """A group of an identity provider that could be imported."""

    name: str = ""
    integration_id: str = ""
    external_account_id: str | None = None


class ImportedGroup(Remote):
    """What became of one group that was to be imported: SUCCESS with a group, or ERROR with a reason."""

    idp_group_id: str
    status: str
    group_id: str | None = None
    reason: str | None = None
    message: str | None = None


class BulkLine(Remote):
    """What became of one line of a change of many. The answer is a 200 even when every line failed."""

    id: str
    status: str
    message: str | None = None


class PersonName(Remote):
    """The name of a person."""

    display: str = ""
    first: str | None = None
    last: str | None = None


class Employment(Remote):
    """Since when and as what a person works here."""

    status: str
    job_title: str | None = None
    start_date: Moment | None = None
    end_date: Moment | None = None


class LeaveInfo(Remote):
    """The leave that a person is on, or will be."""

    start_date: Moment | None = None
    end_date: Moment | None = None
    status: str = ""


class TasksSummary(Remote):
    """The tasks of a person; each key of `details` is one of them."""

    status: str
    due_date: Moment | None = None
    completion_date: Moment | None = None
    details: dict[str, Any] = Field(default_factory=dict)


class Person(Listed):
    """A person. Not everybody has a user account."""

    user_id: str | None = None
    email_address: str = ""
    name: PersonName = PersonName()
    employment: Employment | None = None
    leave_info: LeaveInfo | None = None
    group_ids: list[str] = Field(default_factory=list)
    sources: dict[str, Any] | None = None
    tasks_summary: TasksSummary | None = None
