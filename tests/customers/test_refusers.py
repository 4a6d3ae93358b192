"""R5: whoever refuses the end of a customer is named. Adding, changing and importing them is in `tests/flows/writes.py`."""

import pytest
from django.urls import reverse

from tests.support.refusers import Scene, Sent, Write, press, wrongly_named

pytestmark = pytest.mark.once


def delete(scene: Scene) -> Sent:
    return reverse("customers:delete", args=["acme", scene.desk.first.platform_id]), {}


WRITES: dict[str, Write] = {"end of a customer": press("accounts.delete", delete)}


def test_r5_each_refuser_of_the_end_of_a_customer_is_named(client, sandbox, desk, owner):
    assert wrongly_named(Scene(client, sandbox, desk, owner), WRITES, is_whole=True) == []
