"""The list of people with access, and what both lists say while nothing is there."""

from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.connections.models import Connection
from portal.live.services import changed
from portal.sync.models import Run, RunState
from tests.access_requests.conftest import PAGE, make, make_viewer, words

VIEWERS = f"{PAGE}viewers/"


def test_viewers_are_told_apart_by_expiry_and_agreement(scoped, approver):
    make_viewer("Now", nda_provider="CLICK", nda_satisfied_at=timezone.now())
    make_viewer("Soon", days=5, nda_provider="ONE_CLICK")
    make_viewer("Over", days=-5)

    def names(query=""):
        return {row[0].name for row in approver.get(VIEWERS + query).context["rows"]}

    assert names() == {"Now", "Soon"}
    assert names("?tab=expiring") == {"Soon"}
    assert names("?tab=expired") == {"Over"}
    assert names("?tab=all") == {"Now", "Soon", "Over"}
    assert names("?tab=all&nda=signed") == {"Now"}
    assert names("?tab=all&nda=pending") == {"Soon"}
    assert names("?tab=all&nda=none") == {"Over"}
    assert names("?tab=all&q=OVER") == {"Over"}
    assert "Nobody matches" in words(approver.get(f"{VIEWERS}?q=nobody"))
    Viewer.objects.filter(name="Over").delete()
    assert "Nobody here" in words(approver.get(f"{VIEWERS}?tab=expired"))


def test_the_list_of_viewers_follows_what_happens(scoped, approver):
    make_viewer("Now", access_level="WATERMARKED")
    page = approver.get(VIEWERS)
    assert "WATERMARKED" in words(page)
    headers = {"HX-Request": "true", "HX-Target": "viewers", "Seen": page.context["stamp"]}
    assert approver.get(VIEWERS, headers=headers).status_code == 204
    make_viewer("Later")
    changed("access_requests")
    assert "Later" in words(approver.get(VIEWERS, headers=headers))


def test_a_tenant_that_is_not_connected_is_told_what_to_do(scoped, approver):
    for path in (PAGE, VIEWERS):
        assert "This tenant is not connected yet" in words(approver.get(path))


def test_a_missing_trust_center_id_is_said(scoped, approver, connected):
    Connection.objects.update(slug_id="")
    assert "id is not known yet" in words(approver.get(PAGE))


def test_the_first_fetch_a_problem_and_an_empty_desk_are_told_apart(scoped, approver, connected):
    Run.objects.all().delete()
    assert "Fetching the access requests" in words(approver.get(PAGE))
    run = Run.objects.create(kind="access_request", state=RunState.BLOCKED, error="The connection does not cover this area.")
    assert "The connection does not cover this area." in words(approver.get(PAGE))
    run.delete()
    Run.objects.create(kind="access_request", state=RunState.DONE, error="", finished_at=timezone.now())
    assert "No access requests yet" in words(approver.get(PAGE))
    make("Cleo", outcome="APPROVED")
    assert "Everything is decided" in words(approver.get(PAGE))
    assert "Nothing here" in words(approver.get(f"{PAGE}?tab=denied"))
    assert "No request matches" in words(approver.get(f"{PAGE}?q=nobody"))


def test_after_a_disconnect_the_last_state_stays_readable(scoped, approver, connected):
    make("Ada")
    Connection.objects.update(state="disconnected")
    page = words(approver.get(PAGE))
    assert "This tenant is disconnected" in page
    assert "Ada" in page
