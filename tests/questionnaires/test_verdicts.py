"""For how long a verdict counts, whatever happens to the answer: the database's word against a plain account of it."""

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.questionnaires import services
from portal.questionnaires.models import Response, Review, Standing, Verdict
from tests.questionnaires.reviews import again, approve, return_it
from tests.questionnaires.test_list import make

DIGESTS, QUESTIONS = st.sampled_from(["one", "two"]), st.sampled_from(["this", "that"])
STEPS = st.one_of(
    st.tuples(st.just("answer_digest"), DIGESTS),
    st.tuples(st.just("question_key"), QUESTIONS),
    st.tuples(st.sampled_from(["is_answered", "is_approved", "is_pending"]), st.booleans()),
    st.tuples(st.sampled_from(["approve", "return", "undo"]), st.none()),
)
NUMBERS = count()


class Account:
    """What has happened to one answer, told without a database."""

    def __init__(self) -> None:
        self.now: dict[str, Any] = {"answer_digest": "one", "question_key": "this"}
        self.now |= {"is_answered": True, "is_approved": False, "is_pending": False}
        self.said: list[tuple[str, tuple[str, str]]] = []

    @property
    def subject(self) -> tuple[str, str]:
        return self.now["answer_digest"], self.now["question_key"]

    @property
    def is_finished(self) -> bool:
        return self.now["is_answered"] and not self.now["is_pending"]

    @property
    def standing(self) -> Standing:
        verdict, subject = self.said[-1] if self.said else ("", None)
        if verdict == Verdict.RETURNED and subject == self.subject:
            return Standing.RETURNED
        if self.now["is_approved"] or (verdict == Verdict.APPROVED and subject == self.subject):
            return Standing.APPROVED
        if not self.is_finished:
            return Standing.WAITING
        return Standing.CHANGED if verdict else Standing.OPEN


@pytest.fixture
def questionnaire(scoped):
    return make("Northwind", responses_synced_at="2026-01-01T00:00:00Z")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=9))
def test_a_verdict_counts_exactly_while_it_is_of_the_answer_as_it_is(questionnaire, alice_here, steps):
    account, number = Account(), next(NUMBERS)
    row = Response.objects.create(questionnaire=questionnaire, platform_id=f"r{number}", position=number, **account.now)
    for step, value in steps:
        if step in account.now:
            account.now[step] = value
            Response.objects.filter(pk=row.pk).update(**{step: value})
        elif step == "undo":
            if account.said:
                account.said.pop()
                services.undo(row, member=alice_here)
        elif account.is_finished:
            verdict = approve(row, alice_here) if step == "approve" else return_it(row, alice_here)
            account.said.append((verdict.verdict, account.subject))
        assert again(row).standing == account.standing
        assert Review.objects.newest().filter(response=row).count() == bool(account.said)
