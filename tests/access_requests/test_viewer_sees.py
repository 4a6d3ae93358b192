"""What one viewer sees: their documents, and what changes it."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from portal.trust_center.models import Resource
from portal.trust_center.visitors import Level, Sight
from tests.access_requests.conftest import PAGE, make_viewer


def page_of(viewer) -> str:
    return f"{PAGE}viewers/{viewer.platform_id}/"


def sights(client, viewer) -> dict[str, Sight]:
    page = client.get(f"{page_of(viewer)}sees/?part=documents")
    [part] = page.context["parts"]
    return {row.platform_id: each.sight for row, each in zip(part.page.rows, part.objects, strict=True)}


def test_a_viewer_sees_what_was_granted_and_what_is_public(desk, approver):
    desk.fetch()
    one, other = Resource.objects.filter(is_public=False).order_by("pk")[:2]
    viewer = make_viewer("Partial", access_level="PARTIAL_ACCESS", resource_ids=[one.platform_id])
    found = sights(approver, viewer)
    assert (found[one.platform_id], found[other.platform_id]) == (Sight.SHOWN, Sight.LOCKED)
    viewer.nda_provider = "ONE_CLICK"
    viewer.save(update_fields=["nda_provider"])
    assert sights(approver, viewer)[one.platform_id] == Sight.LOCKED, "the NDA comes first"
    viewer.nda_satisfied_at = timezone.now()
    viewer.save(update_fields=["nda_satisfied_at"])
    assert sights(approver, viewer)[one.platform_id] == Sight.SHOWN
    viewer.expires_at = viewer.expires_sort = timezone.now() - timedelta(minutes=1)
    viewer.save(update_fields=["expires_at", "expires_sort"])
    assert sights(approver, viewer)[one.platform_id] == Sight.LOCKED
    page = approver.get(f"{page_of(viewer)}sees/")
    assert page.context["visitor"].level == Level.PUBLIC


def test_the_way_there_stands_beside_the_viewer(desk, approver):
    viewer = make_viewer("Somebody")
    link = reverse("access_requests:viewer_sees", args=["acme", viewer.platform_id])
    assert f'href="{link}"' in approver.get(page_of(viewer)).content.decode()
