"""Addresses of pages of other rooms that this room leads to."""

from portal.accounts.links import Link
from portal.contracts.models import Contract


def contract_url(contract: Contract | None, page: int | None, *, slug: str) -> str:
    """Lead to a page of a contract's text; empty without a contract, or for an id that no address can hold."""
    url = Link("contracts:detail", (contract.platform_id,)).url(slug) if contract and contract.platform_id else ""
    return f"{url}#page-{page}" if url and page else url


def customer_url(account_id: str, *, slug: str) -> str:
    return Link("customers:customer", (account_id,)).url(slug) if account_id else ""


def answer_url(questionnaire_id: str, response_id: str, *, slug: str) -> str:
    return Link("questionnaires:response", (questionnaire_id, response_id)).url(slug)
