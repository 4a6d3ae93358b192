"""Acme's room: customers, contracts with text, questionnaires, and what the workers do with them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import Account
from portal.commitments.models import Commitment, CustomerCheck, Suggestion
from portal.commitments.services import Promised, add_commitment
from portal.commitments.services.checks import check_answers
from portal.commitments.services.text_extraction import read_contracts
from portal.contracts.models import Contract, ContractPage
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.support.members import find_member

PAGE = "/t/acme/commitments/"
BREACH = "7.2 Provider shall notify Customer of any Personal Data Breach within twenty-four (24) hours after becoming aware."
DELETION = "9 Upon termination, Provider shall delete all Personal Data within thirty (30) days."


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)


@pytest.fixture
def promise(owner: Membership) -> Callable[..., Commitment]:
    """Have Alice write a promise down."""

    def make(account: Account, term: str = "breach-notice", **promised: Any) -> Commitment:
        return add_commitment(account, Promised(term=term, **promised), member=owner)

    return make


def make_account(name: str, domain: str = "", **columns: Any) -> Account:
    return Account.objects.create(
        platform_id=columns.pop("platform_id", f"id-{name}"[:60].replace(" ", "-")),
        name=name,
        name_sort=name.casefold(),
        domain=domain,
        search=f"{name} {domain}".casefold(),
        created_at=timezone.now(),
        **columns,
    )


def make_contract(name: str, account: Account | None = None, *texts: str, read_at: datetime | None = None) -> Contract:
    """A contract with the text of its pages, as if its document had just been read."""
    contract = Contract.objects.create(
        platform_id=f"contract-{name}".replace(" ", "-"),
        name=name,
        account_id=account.platform_id if account else "",
        created_at=timezone.now(),
        read_at=(read_at or timezone.now()) if texts else None,
        search=name.casefold(),
    )
    set_text(contract, *texts)
    return contract


def set_text(contract: Contract, *texts: str) -> None:
    ContractPage.objects.filter(contract=contract).delete()
    for number, text in enumerate(texts, start=1):
        ContractPage.objects.create(contract=contract, number=number, text=text)


def read_anew(contract: Contract, *texts: str) -> None:
    """The document was handed in again, and its text was read."""
    set_text(contract, *texts)
    Contract.objects.filter(pk=contract.pk).update(read_at=timezone.now())


def make_answer(account: Account, question: str, answer: str, *, status: str = "COMPLETE") -> Response:
    """An answer in a questionnaire of a customer."""
    now, number = timezone.now(), Questionnaire.objects.count() + 1
    sheet = Questionnaire.objects.create(
        platform_id=f"sheet-{number}",
        name=f"Questionnaire {number}",
        status=status,
        account_id=account.platform_id,
        created_at=now,
        updated_at=now,
    )
    return Response.objects.create(
        questionnaire=sheet,
        platform_id=f"response-{number}",
        position=1,
        question=question,
        answer_text=answer,
        is_answered=True,
    )


def answer_anew(response: Response, answer: str) -> None:
    Response.objects.filter(pk=response.pk).update(answer_text=answer)
    Questionnaire.objects.filter(pk=response.questionnaire_id).update(touched_at=timezone.now())


def work() -> None:
    """Do what the workers do until nothing is left."""
    while read_contracts() or check_answers():
        pass


def waiting() -> set[str]:
    return set(CustomerCheck.objects.filter(due_at__isnull=False).values_list("account_id", flat=True))


def suggested() -> list[str]:
    return [str(each) for each in Suggestion.objects.open()]


def words(answer: Any) -> str:
    """What a page says, whatever its line breaks."""
    return " ".join(answer.content.decode().split())


def typed(**values: Any) -> dict[str, Any]:
    """What a browser sends for a promise."""
    blank = dict.fromkeys(("amount", "unit", "words", "contract", "clause", "page", "quote", "notify", "zone", "country"), "")
    return blank | {"term": "breach-notice"} | values
