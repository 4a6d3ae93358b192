"""Controls, frameworks, tests, policies, integrations and the event log (platform-api 4.10, 4.12)."""

from typing import Any

from pydantic import AliasChoices, Field

from portal.platform_api.models.documents import Document
from portal.platform_api.models.remote import Identifier, Listed, Moment, Remote


class Owner(Remote):
    """A user who owns something."""

    id: str
    email_address: str = ""
    display_name: str = ""


class ControlFramework(Remote):
    """A framework that a deactivated control would serve."""

    id: str
    display_name: str = ""
    shorthand_name: str = ""
    sections: list[Any] = []


class Control(Listed):
    """A control. Lists leave the numbers, the status and the note out; the frameworks belong to deactivated ones."""

    name: str = ""
    external_id: str | None = None
    description: str = ""
    source: str | None = None
    domains: list[str] = []
    owner: Owner | None = None
    role: str | None = None
    custom_fields: list[dict[str, Any]] = []
    creation_date: Moment | None = None
    modification_date: Moment | None = None
    num_documents_passing: int | None = None
    num_documents_total: int | None = None
    num_tests_passing: int | None = None
    num_tests_total: int | None = None
    status: str | None = None
    note: str | None = None
    frameworks: list[ControlFramework] | None = None
    deactivation_reason: str | None = None


class Framework(Listed):
    """A framework, named by a short key. Lists leave the requirements out."""

    display_name: str = ""
    shorthand_name: str | None = None
    description: str | None = None
    num_controls_completed: int = 0
    num_controls_total: int = 0
    num_documents_passing: int = 0
    num_documents_total: int = 0
    num_tests_passing: int = 0
    num_tests_total: int = 0
    requirement_categories: list[dict[str, Any]] | None = None


class Test(Listed):
    """An automated test with the result of its last run."""

    __test__ = False  # it is none of pytest's

    name: str = ""
    description: str | None = None
    failure_description: str | None = None
    remediation_description: str | None = None
    version: dict[str, Any] | None = None
    category: str | None = None
    status: str = ""
    owner: Owner | None = None
    integrations: list[str] = []
    last_test_run_date: Moment | None = None
    latest_flip_date: Moment | None = None
    deactivated_status_info: dict[str, Any] | None = None
    remediation_status_info: dict[str, Any] | None = None


class ControlWithDocument(Remote):
    """A control and the document that proves it now."""

    document: Document | None = None
    control: Control


class ControlWithTest(Remote):
    """A control and the test that proves it now."""

    test: Test | None = None
    control: Control


class Entity(Listed):
    """One thing that a test looks at, and that fails or is deactivated; `response_type` says what kind of thing it is."""

    display_name: str = ""
    response_type: str | None = None
    entity_status: str = ""
    deactivated_reason: str | None = None
    created_date: Moment | None = None
    last_updated_date: Moment | None = None


class Policy(Listed):
    """A policy with the state of its newest version, and the documents of the one in force."""

    name: str = ""
    description: str | None = None
    status: str = ""
    approved_at_date: Moment | None = None
    latest_version: dict[str, Any] | None = None
    latest_approved_version: dict[str, Any] | None = None


class Integration(Listed):
    """A system that is connected to the platform; its id is a readable key."""

    id: Identifier = Field(validation_alias=AliasChoices("integrationId", "id"))
    display_name: str = ""
    resource_kinds: list[str] = []
    connections: list[dict[str, Any]] = []


class ResourceKind(Listed):
    """A kind of thing that an integration brings in, unique within it. Lists leave the numbers out."""

    id: Identifier = Field(validation_alias=AliasChoices("resourceKind", "id"))
    integration_id: str | None = None
    is_scopable: bool | None = None
    can_update_description: bool | None = None
    can_update_owner: bool | None = None
    num_resources: int | None = None
    num_in_scope: int | None = None
    num_owned: int | None = None
    num_with_description: int | None = None


class IntegrationResource(Listed):
    """A thing that an integration brought in. Which of the last fields it has depends on its type."""

    id: Identifier = Field(validation_alias=AliasChoices("resourceId", "id"))
    response_type: str | None = None
    resource_kind: str | None = None
    connection_id: str | None = None
    display_name: str = ""
    description: str | None = None
    owner: str | None = None
    in_scope: bool | None = None
    creation_date: Moment | None = None
    deleted_date: Moment | None = None
    account: str | None = None
    region: str | None = None
    is_encrypted: bool | None = None
    is_versioned: bool | None = None
    is_autoscan_enabled: bool | None = None
    contains_ephi: bool | None = None
    contains_user_data: bool | None = None
    operating_system_name: str | None = None
    account_name: str | None = None
    roles: list[str] | None = None
    groups: list[str] | None = None
    is_deactivated: bool | None = None
    is_mfa_enabled: bool | None = None


class Party(Remote):
    """Who did something, or to what."""

    id: str | None = None
    type: str | None = None


class EventLogEntry(Listed):
    """One entry of the event log. Actions and types are open sets."""

    actor: Party | None = None
    date: Moment
    action: str
    targets: list[Party] = []
