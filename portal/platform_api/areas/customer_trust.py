"""Accounts, contracts, deletion requests and users (specification 4.7, platform-api 4.1.7, 4.1.8, 4.2, 4.6)."""

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Unpack

from portal.platform_api.bodies.customer_trust import AccountFields, AccountFilters
from portal.platform_api.buckets import CONTRACTS
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models import Account, Contract, Success, User


class Accounts(Area):
    """Customer-trust accounts."""

    name = "accounts"
    root = "/customer-trust/accounts"

    @paged()
    def all(self, **filters: Unpack[AccountFilters]) -> Iterator[Account]:
        """Walk all accounts, or those that pass every filter."""

    @endpoint("POST")
    def create(self, **fields: Unpack[AccountFields]) -> Account:
        """Create an account; name and email_domain are required."""

    @endpoint("GET", "/{account_id}")
    def get(self, account_id: str) -> Account:
        """Fetch one account."""

    @endpoint("PATCH", "/{account_id}")
    def update(self, account_id: str, **changes: Unpack[AccountFields]) -> Account:
        """Change what is named; tags are replaced category by category."""

    @endpoint("DELETE", "/{account_id}")
    def delete(self, account_id: str) -> None:
        """Delete an account."""


class Contracts(Area):
    """Contracts. Two paths are named for their creation (specification 4.7 and 8): the configured one is called."""

    name = "contracts"

    @paged("/contracts")
    def all(self) -> Iterator[Contract]:
        """Walk all contracts."""

    @endpoint("GET", "/contracts/{contract_id}")
    def get(self, contract_id: str) -> Contract:
        """Fetch one contract."""

    @endpoint("POST", "/customer-trust/contracts", origin=SEED, bucket=CONTRACTS, is_form=True)
    def create(
        self,
        file: BinaryIO,
        *,
        filename: str,
        external_id: str | None = None,
        account_id: str | None = None,
        executed_date: datetime | None = None,
    ) -> Contract:
        """Upload a PDF; ten a minute. Raises Conflict when the externalId exists already."""

    @endpoint("DELETE", "/contracts/{contract_id}")
    def delete(self, contract_id: str) -> None:
        """Delete a contract."""


class DeletionRequests(Area):
    """Erasure of a person's customer-trust data."""

    name = "deletion_requests"
    root = "/customer-trust/deletion-requests"

    @endpoint("POST", origin=SEED)
    def create(self, email: str) -> Success:
        """Queue the erasure. There is no status endpoint and no event (platform-api 4.1.8)."""


class Users(Area):
    """Users of the tenant on the platform."""

    name = "users"
    root = "/users"

    @paged()
    def all(self) -> Iterator[User]:
        """Walk the active users; one who left is still found by id."""

    @endpoint("GET", "/{user_id}")
    def get(self, user_id: str) -> User:
        """Fetch one user."""
