"""Issues, and risk scenarios with their controls (specification 2.5, platform-api 4.8, 4.9)."""

from typing import Any

from pydantic import AliasChoices, Field

from portal.platform_api.models.remote import Identifier, Listed, Moment, Remote


class IssueActor(Remote):
    """Who made or changed an issue: a USER, an APPLICATION, or a rule (WORKFLOW_GENERATED)."""

    actor_type: str
    actor_id: str | None = None


class IssueOwner(Remote):
    """Who looks after an issue: a USER or a TEAM."""

    owner_type: str
    owner_id: str


class IssueSource(Remote):
    """Where an issue comes from."""

    source_type: str
    source_id: str | None = None


class Closing(Remote):
    """Why and when an issue was closed."""

    reason: str
    comment: str | None = None
    closed_at: Moment | None = None


class Issue(Listed):
    """An issue. `template` says which of the last three fields it has."""

    readable_issue_id: str = ""
    title: str = ""
    description: str | None = None
    status: str
    severity: str = ""
    template: str = ""
    created_date: Moment | None = None
    created_by: IssueActor | None = None
    last_modified_date: Moment | None = None
    last_modified_by: IssueActor | None = None
    detected_date: Moment
    due_date: Moment | None = None
    owners: list[IssueOwner] = Field(default_factory=list)
    root_cause: str | None = None
    corrective_action: str | None = None
    source: IssueSource | None = None
    control_domain: str | None = None
    closed_metadata: Closing | None = None
    mapped_control_ids: list[str] = Field(default_factory=list)
    mapped_risk_scenario_ids: list[str] = Field(default_factory=list)
    mapped_policy_ids: list[str] = Field(default_factory=list)
    custom_fields: list[dict[str, Any]] | None = None
    type: str | None = None
    required_resources: str | None = None
    systems_description: str | None = None


class RiskScenario(Listed):
    """A risk scenario. The `risk_id` is the only id that answers have (management-api 3.16); its owner is an e-mail address."""

    # One that answers had before is taken as well.
    id: Identifier = Field(validation_alias=AliasChoices("id", "riskId"))
    risk_id: str | None = None
    description: str = ""
    detailed_description: str | None = None
    type: str | None = None
    review_status: str | None = None
    is_sensitive: bool | None = None
    likelihood: float | None = None
    impact: float | None = None
    residual_likelihood: float | None = None
    residual_impact: float | None = None
    categories: list[str] = Field(default_factory=list)
    cia_categories: list[str] = Field(default_factory=list)
    treatment: str | None = None
    owner: str | None = None
    note: str | None = None
    risk_register: str | None = None
    custom_fields: list[dict[str, Any]] | None = None
    is_archived: bool | None = None
    required_approvers: list[Any] | None = None
    identification_date: Moment | None = None


class RiskControl(Listed):
    """A control of a risk scenario. The id is the short name of the control, or its own id where it has none."""

    id: Identifier = Field(validation_alias=AliasChoices("controlId", "id"))
    control_type: str | None = None
