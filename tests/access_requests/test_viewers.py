"""The list of people with access, and what both lists say while nothing is there."""

import csv
from datetime import timedelta
from io import StringIO

from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.access_requests.services.store import remove_viewer
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.connections.models import Connection
from portal.page_refresh.services import touch_areas
from portal.sync.models import Run, RunState
from portal.users.models import User
from tests.access_requests.conftest import PAGE, make, make_viewer, words

VIEWERS = f"{PAGE}viewers/"


def test_viewers_are_told_apart_by_end_agreement_level_and_account(scoped, approver):
    make_viewer("Now", nda_provider="CLICK", nda_satisfied_at=timezone.now(), account_id="acc-1")
    make_viewer("Soon", days=5, nda_provider="ONE_CLICK", access_level="PARTIAL_ACCESS")
    make_viewer("Later", days=60)
    make_viewer("Over", days=-5)
    remove_viewer(make_viewer("Gone", days=50).platform_id)

    def names(query=""):
        return {row.viewer.name for row in approver.get(VIEWERS + query).context["rows"]}

    assert names() == {"Now", "Soon", "Later"}
    assert names("?tab=expiring") == {"Soon"}
    assert names("?tab=ended") == {"Over", "Gone"}
    assert names("?tab=all") == {"Now", "Soon", "Later", "Over", "Gone"}
    assert names("?tab=all&nda=signed") == {"Now"}
    assert names("?tab=all&nda=pending") == {"Soon"}
    assert names("?tab=ended&nda=none") == {"Over", "Gone"}
    assert names("?ends=7") == {"Soon"}
    assert names("?ends=90") == {"Soon", "Later"}
    assert names("?ends=never") == {"Now"}
    assert names("?tab=all&ends=expired") == {"Over"}
    assert names("?tab=all&ends=removed") == {"Gone"}
    assert names("?level=PARTIAL_ACCESS") == {"Soon"}
    assert names("?account=any") == names("?account=acc-1") == {"Now"}
    assert names("?account=none") == {"Soon", "Later"}
    assert names("?domain=later.example") == {"Later"}
    assert names("?tab=all&q=OVER") == {"Over"}
    day = timezone.localtime(Viewer.objects.get(name="Later").expires_at, approver_zone(approver))
    assert names(f"?ends={day:%Y-%m-%d}") == names(f"?ends={day:%Y-%m}&q=later") == {"Later"}
    assert names("?ends=2026-02-31") == names("?ends=nonsense&level=x&nda=y&tab=z") == names()
    assert "No matching people" in words(approver.get(f"{VIEWERS}?q=nobody"))
    Viewer.objects.all().delete()
    touch_areas("access_requests")
    make_viewer("Now")
    assert "No one here" in words(approver.get(f"{VIEWERS}?tab=ended"))


def approver_zone(client):
    return User.objects.get(pk=client.session["_auth_user_id"]).zone


def test_what_has_ended_stays_readable_with_its_history(scoped, approver):
    row = make_viewer("Gone", days=50)
    make("Gone", email=row.email, outcome="APPROVED")
    remove_viewer(row.platform_id)
    page = words(approver.get(f"{VIEWERS}{row.platform_id}/?tab=ended"))
    assert "Revoked" in page
    assert "The platform no longer lists this access" in page
    assert "<h3>Access requests</h3>" in page
    assert "Change expiry…" not in page.partition('id="viewer"')[2]


def test_the_file_holds_exactly_the_filtered_viewers(scoped, approver):
    make_viewer("=Now")
    make_viewer("Soon", days=5)
    lines = b"".join(approver.post(f"{VIEWERS}export/?ends=never").streaming_content).decode().splitlines()
    assert len(lines) == 2
    assert "'=Now" in lines[1]
    assert [entry.summary for entry in Entry.objects.filter(action="viewer.export")] == ["Exported the viewers as CSV."]


def test_the_file_names_accounts_and_shows_no_id_of_them(scoped, approver):
    Account.objects.create(platform_id="acc-1", name="Initech", domain="initech.example")
    Account.objects.create(platform_id="acc-2", domain="helios.example")
    for number, account_id in enumerate(("acc-1", "acc-2", "acc-3")):
        make_viewer(f"V{number}", account_id=account_id)
    content = b"".join(approver.post(f"{VIEWERS}export/").streaming_content).decode()
    assert "Initech" in content
    assert "No name (helios.example)" in content
    assert "acc-" not in content


def test_the_file_writes_every_state_as_its_neighbours(scoped, approver):
    make_viewer("Ada", nda_provider="CLICK_WRAP_BYPASS", nda_satisfied_at=timezone.now())
    make_viewer("Ben", nda_provider="CLICK_WRAP")
    make_viewer("Cid", days=5)
    content = b"".join(approver.post(f"{VIEWERS}export/").streaming_content).decode("utf-8-sig")
    rows = {row["Name"]: row for row in csv.DictReader(StringIO(content))}
    assert {name: row["Person's NDA"] for name, row in rows.items()} == {
        "Ada": "Settled elsewhere",
        "Ben": "Pending",
        "Cid": "None",
    }
    assert (rows["Ada"]["Ends"], rows["Ada"]["Access"]) == ("Never", "Has access")


def test_the_calendar_counts_what_ends_and_leads_there(scoped, approver):
    for number in range(3):
        make_viewer(f"V{number}", days=40)
    remove_viewer(make_viewer("Gone", days=40).platform_id)
    day = timezone.localtime(Viewer.objects.get(name="V0").expires_at, approver_zone(approver))
    page = words(approver.get(f"{VIEWERS}calendar/?month={day:%Y-%m}"))
    assert f"?tab=all&amp;ends={day:%Y-%m-%d}" in page
    assert "> end<" in page
    assert "3 in this month" in page
    assert "No one's access ends in this month" in words(approver.get(f"{VIEWERS}calendar/?month=2031-01"))
    for month in ("0000-01", "9999-12", "x", "2026-13"):
        assert approver.get(f"{VIEWERS}calendar/?month={month}").status_code == 200


def test_a_day_that_is_over_tells_whose_access_has_ended(scoped, approver):
    make_viewer("V", days=-40)
    day = timezone.localtime(Viewer.objects.get(name="V").expires_at, approver_zone(approver))
    page = words(approver.get(f"{VIEWERS}calendar/?month={day:%Y-%m}"))
    assert "> ended<" in page
    assert "> ends<" not in page


def test_the_list_is_narrowed_by_when_people_were_last_seen(scoped, approver):
    now = timezone.now()
    for name, days in (("Busy", 2), ("Slow", 100), ("Still", 400)):
        make_viewer(name, quiet_since=now - timedelta(days=days))
    make_viewer("Unknown")

    def shown(seen):
        page = words(approver.get(f"{VIEWERS}?seen={seen}"))
        return {name for name in ("Busy", "Slow", "Still", "Unknown") if f"{name.lower()}.example" in page}

    assert shown("30") == {"Busy"}
    assert shown("quiet-90") == {"Slow", "Still"}
    assert shown("quiet-365") == {"Still"}
    assert shown("nonsense") == {"Busy", "Slow", "Still", "Unknown"}


def test_the_list_of_viewers_follows_what_happens(scoped, approver):
    make_viewer("Now", access_level="WATERMARKED")
    page = approver.get(VIEWERS)
    assert "WATERMARKED" in words(page)
    headers = {"HX-Request": "true", "HX-Target": "viewers", "Seen": page.context["page_version"]}
    assert approver.get(VIEWERS, headers=headers).status_code == 204
    make_viewer("Later")
    touch_areas("access_requests")
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
    assert "No matching requests" in words(approver.get(f"{PAGE}?q=nobody"))


def test_after_a_disconnect_the_last_state_stays_readable(scoped, approver, connected):
    make("Ada")
    Connection.objects.update(state="disconnected")
    page = words(approver.get(PAGE))
    assert "This tenant is disconnected" in page
    assert "Ada" in page
