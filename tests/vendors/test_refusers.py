"""R5 on the desk of vendors: whoever refuses a change is named, whichever change it is."""

import pytest
from django.urls import reverse

from portal.vendors.models import Part, PartKind
from tests.support.refusers import Scene, Sent, Write, opened, press, wrongly_named
from tests.vendors.test_writes import WRITTEN

pytestmark = pytest.mark.once


def finding() -> Part:
    return Part.objects.select_related("vendor").filter(kind=PartKind.FINDING).order_by("pk")[0]


def at(name: str, *ids: str) -> str:
    return reverse(f"vendors:{name}", args=["acme", finding().vendor.platform_id, *ids])


def set_status(_: Scene) -> Sent:
    return at("set_status"), {"status": "MANAGED" if finding().vendor.status == "ARCHIVED" else "ARCHIVED"}


def change_a_finding(scene: Scene) -> Sent:
    return opened(scene.client, at("edit_finding", finding().platform_id), content="Another text.")


WRITES: dict[str, Write] = {
    "a status": press("vendors.set_status", set_status),
    "a finding": press("vendors.findings.create", lambda _: (at("new_finding"), WRITTEN)),
    "change of a finding": press("vendors.findings.update", change_a_finding),
}


@pytest.fixture
def scene(client, sandbox, desk, owner, vendor) -> Scene:
    """What belongs to one vendor is known."""
    return Scene(client, sandbox, desk, owner)


def test_r5_whoever_refuses_a_change_of_vendors_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_each_change_of_vendors_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
