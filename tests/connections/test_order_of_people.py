from datetime import timedelta

from django.db import connection as database
from django.utils import timezone

from portal.connections.models import TokenRequest
from portal.connections.services import Urgency
from portal.connections.services.queue import Waiting, request_token

OLD = Waiting(work=3, since=timezone.now() - timedelta(hours=10))


def test_a_person_does_not_overtake_others_because_of_old_events(connected, scoped):
    came_at = timezone.now()
    request_token(connected, Urgency.NEWS, OLD)
    for urgency in (Urgency.PERSON, Urgency.NEWS):
        request_token(connected, urgency, OLD)
        request = TokenRequest.objects.get()
        assert request.urgency == Urgency.PERSON
        assert request.since >= came_at


def test_of_several_people_the_first_counts(connected, scoped):
    request_token(connected, Urgency.PERSON, Waiting())
    first = TokenRequest.objects.get().since
    request_token(connected, Urgency.PERSON, Waiting())
    assert TokenRequest.objects.get().since == first


def test_news_wait_since_the_oldest_of_them(connected, scoped):
    request_token(connected, Urgency.NEWS, Waiting())
    request_token(connected, Urgency.BULK, OLD)
    request = TokenRequest.objects.get()
    assert (request.urgency, request.since, request.work) == (Urgency.NEWS, OLD.since, 3)


def test_another_caller_may_ask_and_be_served_while_one_asks(connected, scoped):
    seen = []

    def another_meanwhile(execute, sql, params, many, context):
        if seen or not sql.startswith("INSERT"):
            return execute(sql, params, many, context)
        seen.append("asked")
        TokenRequest.objects.bulk_create([TokenRequest(connection=connected, urgency=Urgency.NEWS)])
        try:
            return execute(sql, params, many, context)
        finally:
            TokenRequest.objects.all().delete()
            seen.append("served")

    with database.execute_wrapper(another_meanwhile):
        request_token(connected, Urgency.NEWS, Waiting())
    assert seen == ["asked", "served"]
    assert not TokenRequest.objects.exists()
