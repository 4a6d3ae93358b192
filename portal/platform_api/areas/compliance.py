"""Controls, frameworks, tests, policies, the event log (specification 4.7, platform-api 4.10, 4.12)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Unpack

from portal.platform_api.bodies.compliance import ControlChanges, ControlExtras, TestFilters
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.compliance import (
    Control,
    ControlWithDocument,
    ControlWithTest,
    Entity,
    EventLogEntry,
    Framework,
    Policy,
    Test,
)
from portal.platform_api.models.documents import Document


class Controls(Area):
    """What the tenant does for security, and what proves it."""

    name = "controls"
    root = "/controls"

    @paged()
    def all(self, *, framework_matches_any: Sequence[str] | None = None) -> Iterator[Control]:
        """Walk the controls in use, or those of some frameworks."""

    @endpoint("POST")
    def create(
        self,
        *,
        external_id: str,
        name: str | None,
        description: str,
        effective_date: datetime,
        domain: str,
        **extras: Unpack[ControlExtras],
    ) -> Control:
        """Add a control of the tenant's own."""

    @endpoint("POST", "/add-from-library")
    def add_from_library(self, control_id: str) -> Control:
        """Bring a deactivated control into use."""

    @paged("/deactivated-controls", origin=SEED)
    def deactivated(self) -> Iterator[Control]:
        """Walk the controls that are out of use."""

    @paged("/controls-library", origin=SEED, is_deprecated=True)
    def library(self) -> Iterator[Control]:
        """Walk the same by the older address."""

    @endpoint("GET", "/{control_id}")
    def get(self, control_id: str) -> Control:
        """Fetch one control with its numbers."""

    @endpoint("PATCH", "/{control_id}")
    def update(self, control_id: str, **changes: Unpack[ControlChanges]) -> Control:
        """Change what is named; an empty text clears the note."""

    @endpoint("DELETE", "/{control_id}")
    def deactivate(self, control_id: str) -> None:
        """Take a control out of use; it goes to the deactivated ones."""

    @endpoint("POST", "/{control_id}/set-owner")
    def set_owner(self, control_id: str, user_id: str | None) -> Control:
        """Give the control to a user, or to nobody."""

    @paged("/{control_id}/documents")
    def documents(self, control_id: str) -> Iterator[Document]:
        """Walk the documents that prove a control."""

    @paged("/{control_id}/tests")
    def tests(self, control_id: str) -> Iterator[Test]:
        """Walk the tests that prove a control."""

    @endpoint("POST", "/{control_id}/add-document-to-control")
    def add_document(self, control_id: str, document_id: str) -> ControlWithDocument:
        """Let a document prove a control."""

    @endpoint("POST", "/{control_id}/add-test-to-control")
    def add_test(self, control_id: str, test_id: str) -> ControlWithTest:
        """Let a test prove a control."""

    @endpoint("DELETE", "/{control_id}/documents/{document_id}")
    def remove_document(self, control_id: str, document_id: str) -> None:
        """Take a document away from a control."""

    @endpoint("DELETE", "/{control_id}/tests/{test_id}")
    def remove_test(self, control_id: str, test_id: str) -> None:
        """Take a test away from a control."""


class Frameworks(Area):
    """The standards that controls serve."""

    name = "frameworks"
    root = "/frameworks"

    @paged()
    def all(self) -> Iterator[Framework]:
        """Walk the frameworks."""

    @endpoint("GET", "/{framework_id}")
    def get(self, framework_id: str) -> Framework:
        """Fetch one framework with its requirements."""

    @paged("/{framework_id}/controls")
    def controls(self, framework_id: str) -> Iterator[Control]:
        """Walk the controls that serve a framework."""


class Tests(Area):
    """Automated tests and what they look at."""

    __test__ = False  # it is none of pytest's

    name = "tests"
    root = "/tests"

    @paged()
    def all(self, **filters: Unpack[TestFilters]) -> Iterator[Test]:
        """Walk the tests, or those that pass every filter."""

    @endpoint("GET", "/{test_id}")
    def get(self, test_id: str) -> Test:
        """Fetch one test."""

    @paged("/{test_id}/entities")
    def entities(self, test_id: str, *, entity_status: str | None = None) -> Iterator[Entity]:
        """Walk what fails of that which a test looks at, or what is deactivated (`entity_status`)."""

    @endpoint("POST", "/{test_id}/entities/{entity_id}/deactivate", names={"reason": "deactivateReason"})
    def deactivate_entity(
        self, test_id: str, entity_id: str, *, reason: str, deactivate_until_date: datetime = ...
    ) -> None:  # fmt: skip
        """Look at an entity no more, for a while or until it is reactivated; that counts from the next run of the test."""

    @endpoint("POST", "/{test_id}/entities/{entity_id}/reactivate")
    def reactivate_entity(self, test_id: str, entity_id: str) -> None:
        """Look at an entity again from the next run on."""


class Policies(Area):
    """Policies of the tenant."""

    name = "policies"
    root = "/policies"

    @paged()
    def all(self) -> Iterator[Policy]:
        """Walk the policies."""

    @endpoint("GET", "/{policy_id}")
    def get(self, policy_id: str) -> Policy:
        """Fetch one policy."""


class EventLogs(Area):
    """What was done in the tenant, and by whom."""

    name = "event_logs"
    root = "/event-logs"

    @paged(origin=SEED)
    def all(self, *, start_date: datetime | None = None) -> Iterator[EventLogEntry]:
        """Walk the entries, or those from a moment on. There is no other filter."""
