"""The client: one object, with an attribute per area."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import requests

from portal.platform_api.areas.audits import Auditors, Audits
from portal.platform_api.areas.compliance import Controls, EventLogs, Frameworks, Policies, Tests
from portal.platform_api.areas.customer_trust import Accounts, Contracts, DeletionRequests, Users
from portal.platform_api.areas.documents import Documents
from portal.platform_api.areas.integrations import Integrations
from portal.platform_api.areas.knowledge import AnswerLibrary, KnowledgeBase, TagCategories
from portal.platform_api.areas.people import Groups, People
from portal.platform_api.areas.questionnaires import Questionnaires
from portal.platform_api.areas.risks import Issues, RiskScenarios
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.areas.vendors import AssessmentTypes, DiscoveredVendors, RiskAttributes, Vendors
from portal.platform_api.buckets import Gate
from portal.platform_api.definitions import parts_of
from portal.platform_api.downloads import MAX_DOWNLOAD_BYTES, download
from portal.platform_api.retries import NEVER, Retries
from portal.platform_api.transport import Call, TokenSource, Transport

CREATION_PATH = "/customer-trust/contracts"
"""Where contracts are created, as the specification's list of endpoints has it (4.7); its list of limits names another (8)."""


class Platform:
    """Every call of one tenant, for example `Platform(...).questionnaires.get(questionnaire_id)`."""

    questionnaires: Questionnaires
    accounts: Accounts
    contracts: Contracts
    deletion_requests: DeletionRequests
    tag_categories: TagCategories
    knowledge_base: KnowledgeBase
    answer_library: AnswerLibrary
    users: Users
    controls: Controls
    frameworks: Frameworks
    tests: Tests
    policies: Policies
    integrations: Integrations
    documents: Documents
    event_logs: EventLogs
    audits: Audits
    auditors: Auditors
    groups: Groups
    people: People
    vendors: Vendors
    vendor_assessment_types: AssessmentTypes
    vendor_risk_attributes: RiskAttributes
    discovered_vendors: DiscoveredVendors
    issues: Issues
    risk_scenarios: RiskScenarios

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenSource,
        session: requests.Session | None = None,
        contracts_path: str = CREATION_PATH,
        gate: Gate | None = None,
        retries: Retries = NEVER,
        observe: Callable[[Call], None] | None = None,
        timeout: tuple[float, float] | None = None,
        is_integration: bool = False,
    ) -> None:
        """Make a client; nothing is asked yet.

        `gate` is asked before every call, `observe` is told about every attempt, and `retries` says how patient the client is
        by itself. `timeout` (seconds to connect, and for the answer) is for callers who cannot wait as long as a call may.
        `is_integration`: the tokens are an integration's, of which some calls count in a bucket of their own.
        """
        self._session = session or requests.Session()
        self._is_encrypted = base_url.startswith("https:")
        self._transport = Transport(
            base_url,
            tokens=tokens,
            session=self._session,
            gate=gate,
            retries=retries,
            observe=observe,
            moved={CREATION_PATH: contracts_path},
            timeout=timeout,
            is_integration=is_integration,
        )
        for name, area in parts_of(type(self)).items():
            setattr(self, name, area(self._transport))

    def trust_center(self, slug_id: str) -> TrustCenter:
        """Return the calls of one Trust Center; nothing is asked yet."""
        return TrustCenter(self._transport, slug_id=slug_id)

    def download(self, url: str, *, limit: int = MAX_DOWNLOAD_BYTES) -> AbstractContextManager[Iterator[bytes]]:
        """Stream a pre-signed address of the platform: `with api.download(url) as chunks`. No token goes with it."""
        return download(self._session, url, limit=limit, is_encrypted=self._is_encrypted)
