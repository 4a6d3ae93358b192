"""Customers out of a file: what is shown before anything is sent, and what comes of every line."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile

from portal.accounts.models import Account
from portal.customers import services
from portal.customers.import_rows import read_lines, validated
from portal.customers.models import ImportItem, ImportRun
from portal.lib.spreadsheets import Unreadable
from portal.platform_writes.models import ItemState
from portal.tenants.models import Role
from tests.customers.conftest import CALL, PAGE, let_imports_work, let_pass, make_account, words
from tests.support.members import find_member

ROOT = f"{PAGE}import/"


def hand_in(client, text: str):
    return client.post(ROOT, {"file": SimpleUploadedFile("crm.csv", text.encode())})


def confirm(client, answer):
    return client.post(f"{ROOT}start/", {"lines": answer.context["confirmed"], "filename": "crm.csv"}, follow=True)


def test_nothing_is_sent_before_it_is_confirmed(client, owner, desk):
    taken = desk.first
    page = hand_in(
        client, f"Name,Email domain\nInitech,initech.example\nTwice,initech.example\nOther,{taken.domain}\n,x.example\nY,y\n"
    )
    shown = words(page)
    assert "1 customer will be created on the platform, 4 lines skipped" in shown
    for problem in (
        "appears earlier in the file",
        "already has this email domain",
        "This line has no name",
        "This line has no email domain, such as",
    ):
        assert problem in shown
    assert desk.calls("POST") == 0
    confirm(client, page)
    let_imports_work()
    [there] = desk.there("Initech")
    assert Account.objects.get(platform_id=there["id"]).domain == "initech.example"
    assert desk.calls("POST") == 1


def test_what_this_desk_exports_can_be_read_again(client, owner):
    make_account("=Formula Ltd", "formula.example")
    text = b"".join(client.post(f"{PAGE}export/").streaming_content)
    [line] = read_lines(text)
    assert (line.name, line.domain) == ("=Formula Ltd", "formula.example")


def test_an_apostrophe_of_a_name_stays():
    [line] = read_lines(b"Name;Domain\n's-Hertogenbosch BV;bosch.example")
    assert (line.number, line.name, line.domain) == (2, "'s-Hertogenbosch BV", "bosch.example")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe\x00", "UTF-8 text"),
        (b"", "must contain the columns"),
        (b"Company name,Web\nA,b.example", "must contain the columns"),
        (b"Name,Domain\n,\n", "no customers below"),
        (b"Name,Domain\n" + b"A,a.example\n" * 1001, "Split it"),
    ],
)
def test_a_file_that_is_none_is_said_so(content, said):
    with pytest.raises(Unreadable, match=said):
        read_lines(content)


def test_semicolons_and_addresses_are_read(scoped):
    [line] = validated(read_lines("\ufeffDomain;Company\n@Ann@Initech.Example; Initech \n".encode()))
    assert (line.number, line.name, line.domain, line.problem) == (2, "Initech", "initech.example", "")


def test_w4_an_import_is_honest_and_its_failures_can_be_tried_again(client, owner, desk, sandbox):
    page = hand_in(client, "Name,Domain\n" + "\n".join(f"C{n},c{n}.example" for n in range(4)))
    sandbox.fail("status", value=400, method="POST", path=CALL, times=1)
    confirm(client, page)
    let_imports_work()
    run = ImportRun.objects.get()
    counts = ImportItem.objects.filter(run=run).counts()
    assert (counts.done, counts.failed) == (3, 1)
    shown = words(client.get(f"{ROOT}{run.pk}/"))
    assert "3 of 4 created" in shown
    assert "The platform rejected this" in shown
    client.post(f"{ROOT}{run.pk}/retry/")
    let_imports_work()
    assert ImportItem.objects.filter(run=run).counts().done == 4
    assert sorted(each["name"] for each in desk.there() if each["name"].startswith("C") and len(each["name"]) == 2) == [
        "C0",
        "C1",
        "C2",
        "C3",
    ]


def test_w1_a_line_whose_answer_was_lost_is_found_and_never_created_twice(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    confirm(client, hand_in(client, "Name,Domain\nInitech,initech.example"))
    let_imports_work()
    assert ImportItem.objects.get().state == ItemState.DONE
    assert len(desk.there("Initech")) == desk.calls("POST") == 1


def test_w1_a_line_that_did_not_arrive_is_sent_again_once_that_is_sure(client, owner, desk, sandbox):
    sandbox.fail("status", value=503, method="POST", path=CALL, times=1)
    confirm(client, hand_in(client, "Name,Domain\nInitech,initech.example"))
    let_imports_work(turns=1)
    assert desk.there("Initech") == []
    let_imports_work(turns=1)
    assert desk.calls("POST") == 1  # the platform may still be at work
    let_pass(61)
    let_imports_work()
    assert ImportItem.objects.get().state == ItemState.DONE
    assert len(desk.there("Initech")) == 1


def test_somebody_elses_import_is_not_found(client, owner, desk, mallory, globex):
    confirm(client, hand_in(client, "Name,Domain\nInitech,initech.example"))
    run = ImportRun.objects.get()
    client.force_login(mallory)
    assert client.get(f"/t/globex/customers/import/{run.pk}/").status_code == 404
    assert client.post(f"/t/globex/customers/import/{run.pk}/retry/").status_code == 404


@pytest.mark.parametrize("lines", ["", "x", "[1]", '[["a"]]', "[]", '{"a": 1}', '[["Name", "no domain"]]'])
def test_nonsense_begins_nothing(client, owner, lines):
    client.post(f"{ROOT}start/", {"lines": lines})
    assert not ImportRun.objects.exists()


def test_the_role_is_asked_for_by_the_change_itself(scoped, member):
    viewer = find_member(tenant=scoped, user=member(Role.VIEWER))
    with pytest.raises(PermissionDenied):
        services.start_import([("A", "a.example")], filename="x", member=viewer)
