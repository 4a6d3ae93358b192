"""Controls, frameworks, tests, policies, integrations and the event log (platform-api 4.10, 4.12)."""

from typing import Any

from portal.platform_api.models.remote import Listed, Moment, Remote


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
    category: str | None = None
    status: str = ""
    owner: Owner | None = None
    integrations: list[str] = []
    is_in_rollout: bool | None = None
    last_test_run_date: Moment | None = None


class Entity(Listed):
    """One thing that a test looks at."""

    display_name: str = ""
    entity_status: str = ""
    deactivated_reason: str | None = None
    deactivated_until_date: Moment | None = None
    creation_date: Moment | None = None
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
    """A system that is connected to the platform."""

    display_name: str = ""
    resource_kinds: list[str] = []
    connections: list[dict[str, Any]] = []


class ResourceKind(Listed):
    """A kind of thing that an integration brings in."""

    display_name: str = ""
    num_resources: int | None = None


class IntegrationResource(Listed):
    """A thing that an integration brought in."""

    display_name: str = ""
    description: str | None = None
    owner: str | None = None
    is_in_scope: bool | None = None
    creation_date: Moment | None = None


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
