"""Accounts, contracts, deletion requests and users (specification 4.7, platform-api 4.1.7, 4.1.8, 4.2, 4.6)."""

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Unpack

from portal.platform_api.changes import AccountFields, AccountFilters
from portal.platform_api.endpoints import CONTRACTS, Nothing, One, Paged
from portal.platform_api.models import Account, Contract, DeletionAnswer, User
from portal.platform_api.paging import PAGE_SIZE, Page
from portal.platform_api.transport import Transport, Upload
from portal.platform_api.wire import spell_body, spell_form, spell_query

ACCOUNTS = "/customer-trust/accounts"

LIST_ACCOUNTS = Paged("accounts", "list", "GET", ACCOUNTS, Account)
CREATE_ACCOUNT = One("accounts", "create", "POST", ACCOUNTS, Account)
GET_ACCOUNT = One("accounts", "get", "GET", ACCOUNTS + "/{}", Account)
UPDATE_ACCOUNT = One("accounts", "update", "PATCH", ACCOUNTS + "/{}", Account)
DELETE_ACCOUNT = Nothing("accounts", "delete", "DELETE", ACCOUNTS + "/{}")
CREATE_DELETION = One("deletion_requests", "create", "POST", "/customer-trust/deletion-requests", DeletionAnswer)
LIST_CONTRACTS = Paged("contracts", "list", "GET", "/contracts", Contract)
GET_CONTRACT = One("contracts", "get", "GET", "/contracts/{}", Contract)
DELETE_CONTRACT = Nothing("contracts", "delete", "DELETE", "/contracts/{}")
LIST_USERS = Paged("users", "list", "GET", "/users", User)


class Accounts:
    """Customer-trust accounts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def page(
        self, cursor: str | None = None, *, page_size: int = PAGE_SIZE, **filters: Unpack[AccountFilters]
    ) -> Page[Account]:
        return LIST_ACCOUNTS.page(self._transport, cursor=cursor, page_size=page_size, params=spell_query(filters))

    def all(self, **filters: Unpack[AccountFilters]) -> Iterator[Account]:
        return LIST_ACCOUNTS.all(self._transport, params=spell_query(filters))

    def create(self, **fields: Unpack[AccountFields]) -> Account:
        """Create an account; name and email_domain are required."""
        return CREATE_ACCOUNT(self._transport, json=spell_body(fields))

    def get(self, account_id: str) -> Account:
        return GET_ACCOUNT(self._transport, account_id)

    def update(self, account_id: str, **changes: Unpack[AccountFields]) -> Account:
        return UPDATE_ACCOUNT(self._transport, account_id, json=spell_body(changes))

    def delete(self, account_id: str) -> None:
        DELETE_ACCOUNT(self._transport, account_id)


class Contracts:
    """Contracts. Two paths are named for their creation (specification 4.7 and 8): the configured one is called."""

    def __init__(self, transport: Transport, *, path: str) -> None:
        self._transport = transport
        self._create = One("contracts", "create", "POST", path, Contract, bucket=CONTRACTS)

    def page(self, cursor: str | None = None, *, page_size: int = PAGE_SIZE) -> Page[Contract]:
        return LIST_CONTRACTS.page(self._transport, cursor=cursor, page_size=page_size)

    def all(self) -> Iterator[Contract]:
        return LIST_CONTRACTS.all(self._transport)

    def get(self, contract_id: str) -> Contract:
        return GET_CONTRACT(self._transport, contract_id)

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
        form = spell_form({"external_id": external_id, "account_id": account_id, "executed_date": executed_date})
        return self._create(self._transport, form=form, upload=Upload(filename, file, "application/pdf"))

    def delete(self, contract_id: str) -> None:
        DELETE_CONTRACT(self._transport, contract_id)


class DeletionRequests:
    """Erasure of a person's customer-trust data."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, email: str) -> DeletionAnswer:
        """Queue the erasure. There is no status endpoint and no event (platform-api 4.1.8)."""
        return CREATE_DELETION(self._transport, json={"email": email})


class Users:
    """Users of the tenant on the platform."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def page(self, cursor: str | None = None, *, page_size: int = PAGE_SIZE) -> Page[User]:
        return LIST_USERS.page(self._transport, cursor=cursor, page_size=page_size)

    def all(self) -> Iterator[User]:
        return LIST_USERS.all(self._transport)
