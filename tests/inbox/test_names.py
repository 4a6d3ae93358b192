"""What the page calls an event: each that the platform's catalogue has by its name, with or without a type in it."""

import json

import pytest

from portal.inbox.models import Delivery
from portal.inbox.services.parsing import read
from portal.platform_api.webhooks import Unrecognised
from tests.platform_api.deliveries import BODIES


@pytest.mark.usefixtures("scoped")
def test_r3_every_catalogued_event_has_a_name_without_a_type_in_its_address():
    deliveries = [Delivery(body=json.dumps(body).encode()) for body, _, _ in BODIES.values()]
    readings = read(deliveries, {})
    assert [reading.event for reading in readings if isinstance(reading.event, Unrecognised)] == []
    assert [reading.event for reading in readings if not reading.event_type] == []
