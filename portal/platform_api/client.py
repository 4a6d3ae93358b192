"""The client: one object, with an attribute per area."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import requests

from portal.platform_api.customer_trust import Accounts, Contracts, DeletionRequests, Users
from portal.platform_api.downloads import LARGEST_DOWNLOAD, download
from portal.platform_api.questionnaires import Questionnaires
from portal.platform_api.transport import Call, TokenSource, Transport
from portal.platform_api.trust_center import TrustCenter


class Platform:
    """Every call of one tenant, for example `Platform(...).questionnaires.get(questionnaire_id)`."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenSource,
        session: requests.Session | None = None,
        contracts_path: str = "/customer-trust/contracts",
        observe: Callable[[Call], None] | None = None,
    ) -> None:
        self._session = session or requests.Session()
        self._is_encrypted = base_url.startswith("https:")
        self._transport = Transport(base_url, tokens=tokens, session=self._session, observe=observe)
        self.questionnaires = Questionnaires(self._transport)
        self.accounts = Accounts(self._transport)
        self.contracts = Contracts(self._transport, path=contracts_path)
        self.deletion_requests = DeletionRequests(self._transport)
        self.users = Users(self._transport)

    def trust_center(self, slug_id: str) -> TrustCenter:
        """Return the calls of one Trust Center; nothing is asked yet."""
        return TrustCenter(self._transport, slug_id=slug_id)

    def download(self, url: str, *, limit: int = LARGEST_DOWNLOAD) -> AbstractContextManager[Iterator[bytes]]:
        """Stream a pre-signed address of the platform: `with api.download(url) as chunks`. No token goes with it."""
        return download(self._session, url, limit=limit, is_encrypted=self._is_encrypted)
