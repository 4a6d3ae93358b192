"""Issues, and risk scenarios with their controls (specification 4.7, platform-api 4.8, 4.9)."""

from collections.abc import Iterator
from typing import Unpack

from portal.platform_api.bodies.risks import IssueFilters, RiskChanges, RiskFields, RiskFilters
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.risks import Issue, RiskControl, RiskScenario


class Issues(Area):
    """Issues: the platform lets nobody change them from outside."""

    name = "issues"
    root = "/issues"
    scope = "svc-api.issues"

    @paged(origin=SEED)
    def all(self, **filters: Unpack[IssueFilters]) -> Iterator[Issue]:
        """Walk all issues, or those that pass every filter, in the asked order."""

    @endpoint("GET", "/{issue_id}", origin=SEED)
    def get(self, issue_id: str) -> Issue:
        """Fetch one issue."""


class RiskControls(Area):
    """The controls of one risk scenario."""

    name = "risk_scenarios.controls"
    root = "/risk-scenarios/{risk_scenario_id}/controls"

    @paged(origin=SEED)
    def all(self, risk_scenario_id: str) -> Iterator[RiskControl]:
        """Walk all controls."""

    @endpoint("POST", origin=SEED)
    def add(self, risk_scenario_id: str, control_id: str, *, control_type: str = ...) -> RiskControl:
        """Add a control."""

    @endpoint("PATCH", "/{control_id}", origin=SEED)
    def update(self, risk_scenario_id: str, control_id: str, *, control_type: str) -> RiskControl:
        """Change what the control does for the scenario."""

    @endpoint("DELETE", "/{control_id}", origin=SEED)
    def remove(self, risk_scenario_id: str, control_id: str) -> None:
        """Take a control away from the scenario."""


class RiskScenarios(Area):
    """Risk scenarios. Wherever one is named, its own `risk_id` serves as well."""

    name = "risk_scenarios"
    root = "/risk-scenarios"
    controls: RiskControls

    @paged()
    def all(self, **filters: Unpack[RiskFilters]) -> Iterator[RiskScenario]:
        """Walk all risk scenarios, or those that pass every filter, in the asked order."""

    @endpoint("POST")
    def create(self, description: str, **fields: Unpack[RiskFields]) -> RiskScenario:
        """Create a risk scenario. The register is not documented as required, but most are not made without it."""

    @endpoint("GET", "/{risk_scenario_id}")
    def get(self, risk_scenario_id: str) -> RiskScenario:
        """Fetch one risk scenario."""

    @endpoint("PATCH", "/{risk_scenario_id}")
    def update(self, risk_scenario_id: str, **changes: Unpack[RiskChanges]) -> RiskScenario:
        """Change what is named."""

    @endpoint("POST", "/{risk_scenario_id}/submit-for-approval")
    def submit_for_approval(self, risk_scenario_id: str, *, comment: str = ...) -> RiskScenario:
        """Ask for approval. Not idempotent: approvers are told."""

    @endpoint("POST", "/{risk_scenario_id}/cancel-approval-request")
    def cancel_approval_request(self, risk_scenario_id: str) -> RiskScenario:
        """Take the request for approval back."""
