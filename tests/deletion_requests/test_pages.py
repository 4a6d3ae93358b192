import csv
from io import StringIO

import pytest

from portal.audit.models import Entry
from portal.deletion_requests.addresses import fingerprint, mask, without_address
from portal.deletion_requests.models import DeletionRequest, State, new_reference
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import tenant_scope
from tests.deletion_requests.conftest import CALL, EMAIL, MASKED, PAGE, erase

pytestmark = pytest.mark.once


def make(email, state=State.ERASED, **columns):
    return DeletionRequest.objects.create(
        email_hash=fingerprint(email),
        masked_email=mask(email),
        email="" if state in (State.ERASED, State.CLOSED) else email,
        requested_by_name="Alice Ames",
        state=state,
        **columns,
    )


@pytest.fixture
def rows(scoped, approver):
    for name, state in (("anna", State.ERASED), ("bert", State.REFUSED), ("cleo", State.UNCERTAIN), ("dora", State.CLOSED)):
        make(f"{name}@{name}.example", state)


def shown(client, query=""):
    return [row.masked_email[0] for row in client.get(PAGE + query).context["page"].rows]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "dcba"),
        ("?tab=attention", "bc"),
        ("?tab=open", "bc"),
        ("?tab=erased", "a"),
        ("?tab=closed", "d"),
        ("?tab=nonsense&cursor=x&person=%00", "dcba"),
    ],
)
def test_the_ledger_shows_the_newest_first_and_filters(approver, rows, query, names):
    assert shown(approver, query) == list(names)


def test_an_exact_address_is_found_and_never_stands_in_an_address_of_a_page(approver, rows):
    answer = approver.post(f"{PAGE}find/", {"email": "ANNA@anna.example"})
    assert "anna" not in answer["Location"].lower()
    page = approver.get(answer["Location"])
    assert [row.masked_email for row in page.context["page"].rows] == ["a•••@anna.example"]
    assert b"One address" in page.content
    nobody = approver.post(f"{PAGE}find/", {"email": "eric@eric.example"}, follow=True)
    assert b"No request about this address" in nobody.content
    half = approver.post(f"{PAGE}find/", {"email": "anna@"}, follow=True)
    assert b"Enter the full address" in half.content


def test_a_viewer_reads_the_ledger_and_cannot_try_addresses(client, rows, bob):
    client.force_login(bob)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert b"find/" not in page.content
    assert client.post(f"{PAGE}find/", {"email": EMAIL}).status_code == 403
    row = DeletionRequest.objects.get(state=State.REFUSED)
    detail = client.get(f"{PAGE}{row.reference}/")
    assert b"nothing was erased here" in detail.content
    assert b"retry/" not in detail.content
    assert client.post(f"{PAGE}{row.reference}/retry/").status_code == 403
    assert client.post(f"{PAGE}{row.reference}/close/").status_code == 403


def test_no_page_shows_an_address_in_full(approver, rows):
    for address in (PAGE, *(f"{PAGE}{row.reference}/" for row in DeletionRequest.objects.all())):
        page = approver.get(address).content.decode()
        assert not any(f"{name}@{name}.example" in page for name in ("anna", "bert", "cleo", "dora"))


def test_s8_the_export_is_what_the_ledger_shows_and_names_nobody(approver, rows, client, bob):
    assert f'action="{PAGE}export/"' in approver.get(PAGE).content.decode()
    person = approver.post(f"{PAGE}find/", {"email": "anna@anna.example"})["Location"].partition("?")[2]
    for query in ("", "?tab=attention", "?tab=open", f"?{person}"):
        content = b"".join(approver.post(f"{PAGE}export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(content)))
        assert [line["Person"][0] for line in lines] == shown(approver, query)
        assert "anna@" not in content
        assert not query or len(lines) < 4
    entries = Entry.objects.filter(action="deletion_request.export")
    assert entries.count() == 4
    assert not any(fingerprint("anna@anna.example") in str(entry.details) + entry.summary for entry in entries)
    client.force_login(bob)
    assert client.post(f"{PAGE}export/").status_code == 403


def test_s1_other_tenants_requests_are_not_there(approver, rows, globex, mallory):
    with tenant_scope(globex.pk):
        foreign = make("gus@globex.example")
    assert b"globex" not in approver.get(PAGE).content
    assert approver.get(f"{PAGE}{foreign.reference}/").status_code == 404
    for verb in ("retry", "close"):
        assert approver.post(f"{PAGE}{foreign.reference}/{verb}/").status_code == 404
    approver.force_login(mallory)
    assert approver.get(PAGE).status_code == 404
    with tenant_scope(globex.pk):
        assert fingerprint("anna@anna.example") not in DeletionRequest.objects.values_list("email_hash", flat=True)
        assert make("anna@anna.example").email_hash != fingerprint("bert@bert.example")


def test_the_same_address_has_another_hash_in_another_tenant(scoped, globex):
    here = fingerprint(EMAIL)
    with tenant_scope(globex.pk):
        assert fingerprint(EMAIL) != here
    assert fingerprint(f" {EMAIL.upper()} ") == here


def test_pages_lead_through_everything(approver, scoped):
    for number in range(120):
        make(f"person{number}@{number}.example")
    found, query = [], ""
    for _ in range(3):
        page = approver.get(PAGE + query).context["page"]
        found += [row.pk for row in page.rows]
        query = f"?cursor={page.next_cursor}"
    assert found == sorted(found, reverse=True)
    assert (len(found), page.next_cursor) == (120, None)


@pytest.mark.parametrize("target", ["ledger", "certificate"])
def test_an_open_page_polls_for_nothing_until_something_changed(approver, rows, target):
    row = DeletionRequest.objects.get(state=State.UNCERTAIN)
    address = PAGE if target == "ledger" else f"{PAGE}{row.reference}/"
    seen = approver.get(address).context["page_version"]
    polling = {"HX-Request": "true", "HX-Target": target, "Seen": seen}
    assert approver.get(address, headers=polling).status_code == 204
    touch_areas("deletion_requests")
    answer = approver.get(address, headers=polling)
    assert f'id="{target}"'.encode() in answer.content
    assert b"<html" not in answer.content


def test_r2_the_dialog_that_closes_a_request_comes_with_its_button(approver, rows):
    row = DeletionRequest.objects.get(state=State.REFUSED)
    polled = approver.get(f"{PAGE}{row.reference}/", headers={"HX-Request": "true", "Seen": "0"}).content.decode()
    assert 'data-open-dialog="close-request"' in polled
    assert '<dialog class="dialog" id="close-request"' in polled


def test_r3_the_ledger_does_not_say_what_the_platform_was_not_asked(approver, rows):
    DeletionRequest.objects.filter(state=State.ERASED).update(came_back=True)
    page = approver.get(PAGE).content.decode()
    assert "Needs a new request" in page
    assert "Still listed" not in page


def test_another_tab_is_not_taken_for_a_poll(approver, rows):
    seen = approver.get(PAGE).context["page_version"]
    assert approver.get(f"{PAGE}?tab=erased", headers={"HX-Request": "true", "Seen": seen}).status_code == 200


def test_the_navigation_counts_what_needs_attention(approver, rows):
    item = next(item for item in approver.get(PAGE).context["navigation"].desks if item.entry.key == "deletion_requests")
    assert (item.count, item.is_urgent) == (2, True)


def test_the_search_of_the_bar_does_not_take_addresses_to_this_desk(approver, rows):
    assert f'role="search" action="{PAGE}"' not in approver.get(PAGE).content.decode()


def test_an_unknown_reference_is_not_found(approver, scoped):
    assert approver.get(f"{PAGE}{new_reference()}/").status_code == 404


def test_an_empty_ledger_says_what_it_is_for(approver, scoped):
    page = approver.get(PAGE).content
    assert b"No deletion requests yet" in page
    assert b"This tenant is not connected" in page


def test_notes_are_text(approver, jane):
    row = erase(approver, jane, note="<script>alert(1)</script>")
    for address in (PAGE, f"{PAGE}{row.reference}/"):
        assert b"<script>alert" not in approver.get(address).content


def test_the_whole_walk_works_without_javascript(approver, jane, sandbox):
    assert f'href="{PAGE}new/"' in approver.get(PAGE).content.decode()
    assert f'action="{PAGE}new/"' in approver.get(f"{PAGE}new/").content.decode()
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    row = erase(approver, jane)
    page = approver.get(f"{PAGE}{row.reference}/").content.decode()
    assert f'action="{PAGE}{row.reference}/retry/"' in page
    answer = approver.post(f"{PAGE}{row.reference}/retry/", follow=True)
    assert answer.redirect_chain[0][0] == f"{PAGE}{row.reference}/"
    assert b"Certificate of erasure" in answer.content
    assert MASKED in answer.content.decode()


@pytest.mark.parametrize(
    ("email", "masked"),
    [("jane@x.example", "j•••@x.example"), ("jo@x.example", "•••@x.example"), ("j@x.example", "•••@x.example")],
)
def test_a_masked_address_cannot_be_written_to(email, masked):
    assert mask(email) == masked
    assert without_address(f"ask {email.upper()} or {email}", email) == f"ask {masked} or {masked}"
