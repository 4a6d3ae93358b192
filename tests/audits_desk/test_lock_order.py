"""Whoever shows what events tell waits for who stores the list, and neither stops the other."""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.engagements.handlers import show_statuses
from portal.engagements.models import Engagement, InformationRequest
from tests.support.beside import beside_a_page

pytestmark = pytest.mark.django_db(transaction=True)


def test_q6_statuses_that_events_tell_and_a_page_of_requests_do_not_meet_in_a_deadlock(desk):
    like = {"engagement": Engagement.objects.all()[0], "read_at": timezone.now()}
    rows = [
        InformationRequest.objects.create(platform_id=each, position=at, **like) for at, each in enumerate(("zeta", "alpha"))
    ]
    told = {row.platform_id: "ACCEPTED" for row in rows}
    beside_a_page(rows, lambda: transaction.atomic(show_statuses)(InformationRequest, told))
    assert InformationRequest.objects.filter(status="ACCEPTED", is_provisional=True).count() == 2
