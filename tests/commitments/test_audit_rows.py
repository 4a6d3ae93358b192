"""Guarantee R8: each change of promises, suggestions, contradictions and standards leaves its audit row."""

from decimal import Decimal

from portal.commitments import services
from portal.commitments.comparison import Promise
from portal.commitments.models import Contradiction, Suggestion, SuggestionState, Term
from portal.commitments.services import Promised, change_commitment, end_commitment, reopen_commitment, resolve
from portal.commitments.services.contradictions import reopen
from portal.commitments.services.suggestions import accept, bring_back, dismiss
from tests.commitments.conftest import BREACH, DELETION, PAGE, make_account, make_answer, make_contract, work
from tests.support.audit import recorded

ALICE = "Alice Ames"


def test_r8_a_promise_from_its_first_word_to_its_end(owner, promise):
    account = make_account("Northwind")
    with recorded("commitment.add", "commitment.change", "commitment.end", "commitment.reopen", by=ALICE) as rows:
        row = promise(account, amount=Decimal(24), unit="hours")
        longer = Promised(term="breach-notice", amount=Decimal(48), unit="hours")
        row = change_commitment(row, longer, seen=row.version, member=owner)
        row = end_commitment(row, seen=row.version, member=owner)
        reopen_commitment(row, seen=row.version, member=owner)
    assert rows[1].details["before"] != rows[1].details["after"]


def test_r8_what_became_of_suggestions(owner):
    make_contract("MSA", make_account("Northwind"), BREACH, DELETION)
    work()
    first, second = Suggestion.objects.open()[:2]
    with recorded("commitment_suggestion.dismiss", "commitment_suggestion.bring_back", by=ALICE):
        dismiss(first, member=owner)
        bring_back(first, member=owner)
    with recorded("commitment.add", "commitment_suggestion.accept", by=ALICE, in_any_order=True):
        accept(second, member=owner)
    assert Suggestion.objects.get(pk=second.pk).state == SuggestionState.ACCEPTED


def test_r8_what_became_of_contradictions(owner, promise):
    account = make_account("Northwind")
    promise(account, amount=Decimal(24), unit="hours")
    make_answer(account, "Do you notify customers of security incidents?", "We notify our customers within 72 hours.")
    work()
    row = Contradiction.objects.get()
    with recorded("commitment_contradiction.resolve", "commitment_contradiction.reopen", by=ALICE):
        resolve(row, reason="An older answer.", seen=row.told, member=owner)
        reopen(row, member=owner)


def test_r8_standards_and_files(client, owner):
    with recorded("commitment_standard.set", "commitment_standard.remove", by=ALICE):
        standard = services.set_standard(Term.BREACH_NOTICE, Promise(Decimal(72), "hours"), seen="", member=owner)
        services.remove_standard(Term.BREACH_NOTICE, seen=standard.version, member=owner)
    with recorded("commitment.export", "commitment.export", "commitment.export", by=ALICE):
        for path in ("export", "register/export", "suggestions/export"):
            assert client.post(f"{PAGE}{path}/").status_code == 200
