"""A database of its own for the figures, and the people and rows in it."""

import os
import secrets
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.services import note_wordings
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User
from tests.environment import POSTGRESQL

TOPICS = ("encryption", "backups", "access reviews", "incidents", "suppliers", "logging", "patches")
STATUSES = ("IN_PROGRESS", "IN_REVIEW", "COMPLETE", "ON_HOLD", "APPROVED")


def create_database() -> None:
    if connection.vendor == "postgresql":
        # A name of its own: tests may be running beside the bench.
        connection.settings_dict["TEST"]["NAME"] = f"portal_bench_{os.getpid()}"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)


def database_url() -> str:
    """Return the address of the database of the figures, for another process."""
    name = connection.settings_dict["NAME"]
    return f"{POSTGRESQL.rpartition('/')[0]}/{name}" if connection.vendor == "postgresql" else f"sqlite:///{name}"


def drop_database() -> None:
    connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def make_user() -> User:
    return User.objects.create_user(f"{secrets.token_hex(4)}@example.test", None, name="Ben Bench")


def make_tenant(name: str) -> tuple[Tenant, User]:
    user = make_user()
    return create_tenant(name, owner=user), user


def make_questionnaires(tenant: Tenant, count: int) -> None:
    now = timezone.now()
    with tenant_scope(tenant.pk):
        for start in range(0, count, 1000):
            Questionnaire.objects.bulk_create(
                [_questionnaire(tenant, number, now) for number in range(start, min(start + 1000, count))]
            )


def _questionnaire(tenant: Tenant, number: int, now: datetime) -> Questionnaire:
    due_at = now + timedelta(hours=number % 2000 - 400)
    return Questionnaire(
        tenant=tenant,
        platform_id=f"{number:024x}",
        name=f"Vendor assessment {number}",
        search=f"vendor assessment {number}",
        status=STATUSES[number % len(STATUSES)],
        due_at=due_at,
        due_sort=due_at,
        created_at=now,
        updated_at=now - timedelta(minutes=number),
        question_count=100,
        answered_count=number % 100,
    )


def make_responses(questionnaire: Questionnaire, count: int) -> None:
    """Give a questionnaire questions, four of five with an answer. Call it in the tenant's scope."""
    now = timezone.now()
    for start in range(0, count, 1000):
        rows = [_response(questionnaire, number, now) for number in range(start, min(start + 1000, count))]
        Response.objects.bulk_create(rows)
        note_wordings(row.question for row in rows)


def _response(questionnaire: Questionnaire, number: int, now: datetime) -> Response:
    topics = [TOPICS[(number // place) % len(TOPICS)] for place in (1, 7, 49)]
    question, answer = f"Do you have a policy for {topics[0]}, {topics[1]} and {topics[2]}?", f"Yes, see policy {number}."
    is_answered = number % 5 > 0
    return Response(
        questionnaire=questionnaire,
        platform_id=f"{number:024x}",
        position=number,
        question=question,
        search=question.lower(),
        is_answered=is_answered,
        question_key=key_of(question),
        answer_text=answer if is_answered else "",
        answer_key=key_of(answer) if is_answered else "",
        payload={"id": f"{number:024x}", "question": question, "isPendingAnswerGeneration": False},
        read_at=now,
    )
