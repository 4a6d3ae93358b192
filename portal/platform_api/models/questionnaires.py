"""Questionnaires, responses and exports (platform-api 4.1.3 - 4.1.6)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.remote import Listed, Moment, Remote


class Assignment(Listed):
    """Who owns or approves something: a user or a team. The type is spelled User/Team here (platform-api 4.1.3)."""

    type: str = ""
    display_name: str | None = None


class Actor(Remote):
    """A person in a log."""

    id: str = ""
    display_name: str | None = None
    email: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    organization_id: str | None = None


class StatusLogEntry(Remote):
    """One change of a questionnaire's status."""

    status: str
    updated_at: Moment
    updated_by: Actor | None = None
    message: str | None = None


class Questionnaire(Listed):
    """A questionnaire. Its responses are objects of their own; there are no counters."""

    display_name: str = ""
    type: str = ""
    status: str = ""
    url: str | None = None
    status_log: list[StatusLogEntry] = Field(default_factory=list)
    owner_assignment: Assignment | None = None
    approver_assignment: Assignment | None = None
    customer_trust_account_id: str | None = None
    due_date: Moment | None = None
    metadata: list[dict[str, Any]] | None = None
    tag_and_category_ids: list[dict[str, Any]] | None = None
    created_date: Moment | None = None
    updated_date: Moment | None = None
    completed_date: Moment | None = None


class Response(Listed):
    """One question of a questionnaire with its answer; `approved_by` is the only sign of approval."""

    question: str = ""
    is_pending_answer_generation: bool = False
    owner_assignment: Assignment | None = None
    section_id: str | None = None
    sequence_label: str | None = None
    answer_parts_schema: dict[str, Any] | None = None
    answer_parts_values: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    """Deprecated (specification 9.4): the parts come first."""
    answer_schema: str | None = None
    origin_type: str | None = None
    edited_by: Actor | None = None
    approved_by: Actor | None = None
    attached_evidence: list[dict[str, Any]] | None = None
    generated_answer_log_id: str | None = None


class AssignableUser(Listed):
    """A user who can own or approve a questionnaire."""

    display_name: str = ""


class Export(Listed):
    """An export of a questionnaire; its status and format are lower case (platform-api 4.1.5)."""

    status: str
    format: str
    requested_at: Moment
    completed_at: Moment | None = None
    download_url: str | None = None
    expires_at: Moment | None = None
    failed_at: Moment | None = None
    error_message: str | None = None
