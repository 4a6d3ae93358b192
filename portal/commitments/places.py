"""Addresses of pages of other rooms that this room leads to."""

from portal.accounts.links import Link
from portal.contracts.models import Contract


def contract_url(contract: Contract | None, page: int | None, *, slug: str) -> str:
    """Lead to a page of a contract's text; empty without a contract, or for an id that no address can hold."""
    if not (contract and contract.platform_id):
        return ""
    if not page:
        return Link("contracts:detail", (contract.platform_id,)).url(slug)
    url = Link("contracts:text", (contract.platform_id,), query={"page": str(page)}).url(slug)
    return f"{url}#page-{page}" if url else ""


def customer_url(account_id: str, *, slug: str) -> str:
    return Link("customers:customer", (account_id,)).url(slug) if account_id else ""


def answer_url(questionnaire_id: str, response_id: str, *, slug: str) -> str:
    return Link("questionnaires:response", (questionnaire_id, response_id)).url(slug)
