"""Each bucket of the platform is counted here, for all processes, and a person goes first."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from portal.connections.models import CallWindow, Connection, GrantType
from portal.connections.services import Urgency, client_for
from portal.connections.services.calls import count_call
from portal.platform_api.buckets import CALLS_A_MINUTE, CONTRACTS, INTEGRATION, MANAGEMENT
from portal.platform_api.errors import CallLimitReached, RateLimited


def calls_until_refused(bucket: str, urgency: Urgency) -> int:
    for number in range(1000):
        try:
            count_call(bucket, urgency=urgency)
        except RateLimited:
            return number
    raise AssertionError("nobody refuses")


@pytest.mark.parametrize("bucket", CALLS_A_MINUTE)
def test_a_bucket_is_never_asked_for_more_than_the_platform_gives(connected, scoped, bucket):
    assert 0 < calls_until_refused(bucket, Urgency.PERSON) <= CALLS_A_MINUTE[bucket]


def test_a_call_is_counted_by_one_look_and_one_write(connected, scoped, django_assert_num_queries):
    count_call(MANAGEMENT, urgency=Urgency.PERSON)
    with transaction.atomic(), django_assert_num_queries(4) as asked:
        count_call(MANAGEMENT, urgency=Urgency.PERSON)
    assert [query["sql"].split()[0] for query in asked] == ["SAVEPOINT", "SELECT", "UPDATE", "RELEASE"]


def test_bulk_stops_first_then_news_and_a_person_still_comes_through(connected, scoped):
    background = calls_until_refused(MANAGEMENT, Urgency.BULK)
    news = calls_until_refused(MANAGEMENT, Urgency.NEWS)
    person = calls_until_refused(MANAGEMENT, Urgency.PERSON)
    assert (background, background + news, background + news + person) == (24, 28, 48)


def test_documents_of_an_integration_are_counted_apart_and_shared_alike(connected, scoped):
    background = calls_until_refused(INTEGRATION, Urgency.BULK)
    news = calls_until_refused(INTEGRATION, Urgency.NEWS)
    person = calls_until_refused(INTEGRATION, Urgency.PERSON)
    assert (background, background + news, background + news + person) == (10, 11, 19)


@pytest.mark.parametrize(
    ("grant_type", "bucket"), [(GrantType.AUTHORIZATION_CODE, INTEGRATION), (GrantType.CLIENT_CREDENTIALS, MANAGEMENT)]
)
def test_the_limit_on_documents_is_that_of_the_grant(connected, scoped, grant_type, bucket):
    Connection.objects.update(grant_type=grant_type)
    client_for(Urgency.PERSON).documents.all.page()
    assert list(CallWindow.objects.values_list("bucket", "calls")) == [(bucket, 1)]


def test_an_integration_is_never_refused_by_the_platform_for_its_documents(connected, scoped, sandbox):
    api = client_for(Urgency.PERSON)
    with pytest.raises(CallLimitReached) as caught:
        for _ in range(CALLS_A_MINUTE[INTEGRATION] + 1):
            api.documents.all.page()
    assert caught.value.bucket == INTEGRATION
    assert {call["status"] for call in sandbox.requests("/v1/documents")} == {200}
    # Nothing else has to wait for that.
    assert api.vendors.all.page().items


def test_buckets_do_not_take_from_one_another(connected, scoped):
    calls_until_refused(MANAGEMENT, Urgency.PERSON)
    assert calls_until_refused(CONTRACTS, Urgency.PERSON) == 10


def test_the_refusal_says_how_long_and_then_the_next_minute_begins(connected, scoped):
    calls_until_refused(CONTRACTS, Urgency.PERSON)
    with pytest.raises(RateLimited) as caught:
        count_call(CONTRACTS, urgency=Urgency.PERSON)
    assert 0 < caught.value.retry_after <= 60
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        count_call(CONTRACTS, urgency=Urgency.PERSON)


def test_a_clock_that_was_set_back_does_not_close_the_bucket_for_long(connected, scoped):
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        calls_until_refused(CONTRACTS, Urgency.PERSON)
    count_call(CONTRACTS, urgency=Urgency.PERSON)
