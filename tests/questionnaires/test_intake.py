"""Handing in a questionnaire: a file or an address, what is refused, what looks like one that is here."""

from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.http import QueryDict
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.inbox.routes import MIRRORS
from portal.lib.page_cache import cache
from portal.lib.text_keys import address_key
from portal.platform_api.errors import ValidationFailed
from portal.questionnaires.files import clean_name, name_from
from portal.questionnaires.forms import IntakeForm
from portal.questionnaires.models import ACCOUNT, TAG, AssignableUser, Intake, IntakeState, Label, Questionnaire
from portal.questionnaires.services import ask_for_owners
from portal.questionnaires.tasks import sweep_intakes
from portal.sync.models import StaleMark
from portal.sync.services import drain_tenant
from portal.tenants.models import Role
from tests.questionnaires.conftest import address
from tests.questionnaires.intakes import (
    DOCX,
    FILE_CALL,
    NEW,
    PAGE,
    PDF,
    WEBSITE_CALL,
    XLSX,
    hand_in,
    office,
    only_intake,
    upload,
)


@pytest.fixture(autouse=True)
def files_of_this_test(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def there(desk, name: str) -> list[dict]:
    return [one for one in desk.objects.all(desk.tenant_id, "questionnaires") if one["displayName"] == name]


def stored() -> list[str]:
    folder = f"intakes/{Intake.objects.values_list('tenant_id', flat=True).first()}"
    return default_storage.listdir(folder)[1] if default_storage.exists(folder) else []


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        (("Northwind review.xlsx", XLSX), "SPREADSHEET"),
        (("Northwind review.DOCX", DOCX), "DOCUMENT"),
        (("Northwind_review.pdf", PDF), "DOCUMENT"),
    ],
)
def test_a_file_arrives_there_and_here(desk, analyst, file, kind):
    answer = hand_in(analyst, upload(*file))
    [made] = there(desk, "Northwind review")
    row = Questionnaire.objects.get(platform_id=made["id"])
    assert (made["type"], row.kind) == (kind, kind)
    assert answer["Location"] == address(row)
    intake = only_intake()
    assert (intake.state, intake.questionnaire, intake.file.name) == (IntakeState.CREATED, row, "")
    assert StaleMark.objects.filter(kind="responses", object_id=made["id"]).exists()
    [entry] = Entry.objects.filter(action="questionnaire.intake")
    assert (entry.target_id, entry.actor_name) == (made["id"], "Alice Ames")


def test_everything_that_was_typed_arrives(desk, analyst, sandbox):
    ask_for_owners()
    drain_tenant(MIRRORS)
    owner, approver = AssignableUser.objects.owners()[0], AssignableUser.objects.approvers()[1]
    account = sandbox.objects(desk.tenant_id, "accounts")[0]["id"]
    desk.change_there(desk.questionnaire, tagAndCategoryIds=[{"categoryId": "c1", "tagId": "t1"}])
    desk.fetch()
    due = timezone.localdate() + timedelta(days=9)
    answer = hand_in(
        analyst,
        url="portal.northwind.example/q?id=1",
        name="  Northwind 2027 ",
        account_id=account,
        due_on=due.isoformat(),
        owner=owner.platform_id,
        approver=approver.platform_id,
        description="For the new deal.",
        company_url="https://northwind.example",
        tags=["c1/t1"],
        **{"more_tags-left": ["c2", ""], "more_tags-right": ["t2", ""]},
        **{"metadata-left": ["deal", ""], "metadata-right": ["D-42", ""]},
    )
    assert answer.status_code == 302, answer.content.decode()
    [made] = there(desk, "Northwind 2027")
    assert made["url"] == "https://portal.northwind.example/q?id=1"
    [entry] = Entry.objects.filter(action="questionnaire.intake")
    assert entry.details == {"address": "https://portal.northwind.example/q"}, "what lets people in is in no history"
    assert made["customerTrustAccountId"] == account
    assert made["dueDate"].startswith(f"{due.isoformat()}T23:59")
    assert (made["ownerAssignment"]["id"], made["approverAssignment"]["id"]) == (owner.platform_id, approver.platform_id)
    assert made["metadata"] == [{"key": "deal", "value": "D-42"}]
    assert made["tagAndCategoryIds"] == [{"categoryId": "c1", "tagId": "t1"}, {"categoryId": "c2", "tagId": "t2"}]


def refusals() -> dict[str, tuple]:
    pair = {"metadata-left": ["ä b"], "metadata-right": ["1"]}
    rows = {"metadata-left": [f"k{number}" for number in range(31)], "metadata-right": ["v"] * 31}
    twice = {"metadata-left": ["k", "k"], "metadata-right": ["v", "w"]}
    half = {"more_tags-left": ["c1"], "more_tags-right": [""]}
    return {
        "nothing": (None, {}, "Choose a file, or enter the address"),
        "both": (upload(), {"url": "https://a.example"}, "not both"),
        "another ending": (upload("list.csv", b"a,b"), {}, "accepts only .xlsx, .docx and .pdf"),
        "no ending": (upload("list", XLSX), {}, "accepts only .xlsx, .docx and .pdf"),
        "empty": (upload("a.pdf", b""), {}, "This file is empty."),
        "no pdf": (upload("a.pdf", b"hello"), {}, "This is not a PDF"),
        "a document called a workbook": (upload("a.xlsx", DOCX), {}, "This is not an Excel workbook"),
        "a workbook called a document": (upload("a.docx", XLSX), {}, "This is not a Word document"),
        "a broken zip": (upload("a.xlsx", XLSX[:-9]), {}, "This is not an Excel workbook"),
        "a zip": (upload("a.docx", office("x.txt")), {}, "This is not a Word document"),
        "a password": (
            upload("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"0" * 600),
            {},
            "has a password or an old Office format",
        ),
        "no address": (None, {"url": "not an address"}, "Enter an address such as"),
        "another scheme": (None, {"url": "ftp://a.example/x"}, "Enter an address such as"),
        "a script": (None, {"url": "javascript:alert(1)"}, "Enter an address such as"),
        "a password in the address": (None, {"url": "https://me:pw@a.example"}, "password from the address"),
        "a day that is over": (upload(), {"due_on": "2020-01-01"}, "This date has passed"),
        "a stranger as owner": (upload(), {"owner": "nobody"}, "Select a valid choice"),
        "a key with a space": (upload(), pair, "letters from A to Z, digits"),
        "too many keys": (upload(), rows, "at most 30"),
        "a key twice": (upload(), twice, "can stand here once"),
        "half a tag": (upload(), half, "and no tag id"),
    }


def test_what_cannot_be_taken_is_said_in_words(desk):
    for case, (file, fields, words) in refusals().items():
        typed = QueryDict(mutable=True)
        for name, value in fields.items():
            typed.setlist(name, value if isinstance(value, list) else [value])
        form = IntakeForm(typed, {"file": file} if file else {})
        assert not form.is_valid(), case
        assert words in form.errors.as_text(), case


def test_what_was_typed_is_kept_and_the_file_has_to_be_chosen_again(desk, analyst, sandbox):
    for fields in ({"owner": "nobody"}, {"account_id": "nowhere"}):
        answer = hand_in(analyst, upload(), description="Typed by me", **fields)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "Typed by me" in page
        assert "Choose the file again" in page
    assert "Check that this account exists" in page
    assert len(sandbox.requests(FILE_CALL)) == 1, "only the platform knew that there is no such account"
    assert only_intake().state == IntakeState.REFUSED


def test_what_the_platform_objects_to_stands_beside_its_field(desk):
    form = IntakeForm({"url": "https://a.example"}, {})
    assert form.is_valid()
    refusal = ValidationFailed("POST", "/x", status=400, fields={"metadata.0.key": "too long", "new.thing": "odd"})
    assert form.show_objections(refusal)
    assert form.errors == {"metadata": ["The platform rejected this: too long"]}


def test_a_file_that_is_too_large_is_cut_off(desk, analyst, settings):
    settings.MAX_UPLOAD_BYTES = 1000
    page = hand_in(analyst, upload("a.pdf", PDF + b"0" * 2000))
    assert (page.status_code, "the limit is" in page.content.decode()) == (422, True)


@pytest.mark.parametrize(
    ("given", "cleaned", "name"),
    [
        ("Q1_review final.XLSX", "Q1_review final.xlsx", "Q1 review final"),
        ("..\\..\\etc\\a.pdf", "a.pdf", "a"),
        ("a\r\nX-Header: b\x00.pdf", "a X-Header b.pdf", "a X-Header b"),
        ("\u202efdp.exe\u202c.pdf", "fdp.exe.pdf", "fdp.exe"),
        (".pdf", "pdf", "pdf"),
        ("***.pdf", "questionnaire.pdf", "questionnaire"),
        ("x" * 400 + ".docx", "x" * 200 + ".docx", "x" * 200),
    ],
)
def test_s5_names_of_files_are_cleaned(given, cleaned, name):
    assert clean_name(given) == cleaned
    assert name_from(given) == name


def looks_like_one(desk, analyst, **fields):
    """Hand in what is there already; give the page that asks."""
    answer = hand_in(analyst, **fields)
    intake = Intake.objects.get(state=IntakeState.ASKING)
    assert answer["Location"] == f"{PAGE}intakes/{intake.pk}/"
    return intake, analyst.get(answer["Location"]).content.decode()


def test_the_same_file_is_asked_about_and_sent_all_the_same(desk, analyst):
    hand_in(analyst, upload())
    intake, page = looks_like_one(desk, analyst, file=upload("Quite another name.xlsx"))
    assert "You may already have this questionnaire" in page
    assert "Same file" in page
    assert len(stored()) == 1
    answer = analyst.post(f"{PAGE}intakes/{intake.pk}/send/")
    [made] = there(desk, "Quite another name")
    assert answer["Location"] == f"{PAGE}{made['id']}/"
    assert stored() == []
    # A second click finds that it has gone.
    assert "has already been sent" in analyst.post(f"{PAGE}intakes/{intake.pk}/send/", follow=True).content.decode()
    assert len(there(desk, "Quite another name")) == 1


def test_the_same_address_is_asked_about_and_not_sent(desk, analyst, sandbox):
    hand_in(analyst, url="https://portal.example/q/")
    intake, page = looks_like_one(desk, analyst, url="http://www.portal.example/q", name="Another name")
    assert "Same address" in page
    analyst.post(f"{PAGE}intakes/{intake.pk}/discard/")
    assert not Intake.objects.filter(pk=intake.pk).exists()
    assert len(sandbox.requests(WEBSITE_CALL)) == 1


def test_the_same_name_and_account_is_asked_about(desk, analyst):
    row = desk.questionnaire
    desk.change_there(row, displayName="Northwind: Review", customerTrustAccountId="a1")
    desk.fetch()
    hand_in(analyst, upload("northwind_review.pdf", PDF), account_id="a2")
    assert not Intake.objects.filter(state=IntakeState.ASKING).exists(), "another account, another customer"
    _, page = looks_like_one(desk, analyst, file=upload("northwind_review.xlsx"), account_id="a1")
    assert "Same name and account" in page
    assert address(row) in page


@pytest.mark.parametrize(
    ("changes", "is_asked"),
    [
        ({"status": "COMPLETE", "completedDate": "2019-01-01T00:00:00.000Z"}, False),
        ({"status": "COMPLETE", "completedDate": "2999-01-01T00:00:00.000Z"}, True),
        ({"status": "ERROR"}, False),
    ],
)
def test_what_is_long_over_or_failed_is_no_duplicate(desk, analyst, changes, is_asked):
    row = desk.questionnaire
    desk.change_there(row, displayName="Northwind review", customerTrustAccountId=None, **changes)
    desk.fetch()
    hand_in(analyst, upload())
    assert Intake.objects.filter(state=IntakeState.ASKING).exists() is is_asked


def test_a_file_that_nobody_decides_on_is_removed_after_a_day_and_what_was_typed_stays(
    desk, analyst, django_capture_on_commit_callbacks
):
    hand_in(analyst, upload())
    intake, _ = looks_like_one(desk, analyst, file=upload(), description="For the deal.")
    sweep_intakes()
    assert len(stored()) == 1
    Intake.objects.filter(pk=intake.pk).update(begun_at=timezone.now() - timedelta(days=2))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_intakes()
    assert stored() == []
    page = analyst.get(f"{PAGE}intakes/{intake.pk}/").content.decode()
    assert "No one decided within a day" in page
    assert f"{NEW}?again={intake.pk}" in page
    assert "For the deal." in analyst.get(f"{NEW}?again={intake.pk}").content.decode()
    assert Entry.objects.filter(action="questionnaire.intake_absent", target_id=str(intake.pk)).exists()


def test_an_address_that_nobody_decides_on_waits_on(desk, analyst):
    hand_in(analyst, url="https://portal.example/q")
    intake, _ = looks_like_one(desk, analyst, url="https://portal.example/q", name="Another name")
    Intake.objects.filter(pk=intake.pk).update(begun_at=timezone.now() - timedelta(days=2))
    sweep_intakes()
    assert "Another name" in analyst.get(PAGE).content.decode()
    assert "Send anyway" in analyst.get(f"{PAGE}intakes/{intake.pk}/").content.decode()


def test_a_refusal_of_a_kept_file_leaves_it_for_another_try(desk, analyst, sandbox):
    hand_in(analyst, upload())
    intake, _ = looks_like_one(desk, analyst, file=upload())
    sandbox.fail("status", method="POST", path=FILE_CALL, value=403, times=1)
    page = analyst.post(f"{PAGE}intakes/{intake.pk}/send/", follow=True).content.decode()
    assert "Send anyway" in page
    assert len(stored()) == 1
    assert analyst.post(f"{PAGE}intakes/{intake.pk}/send/").status_code == 302
    assert len(there(desk, "Northwind review")) == 2


def test_r4_a_kept_file_that_was_refused_and_left_is_not_said_to_be_undecided(desk, analyst, sandbox):
    hand_in(analyst, upload())
    intake, _ = looks_like_one(desk, analyst, file=upload())
    sandbox.fail("status", method="POST", path=FILE_CALL, value=403, times=1)
    analyst.post(f"{PAGE}intakes/{intake.pk}/send/")
    Intake.objects.filter(pk=intake.pk).update(begun_at=timezone.now() - timedelta(days=2))
    sweep_intakes()
    page = analyst.get(f"{PAGE}intakes/{intake.pk}/").content.decode()
    assert "The platform did not accept it, and the file is no longer kept." in page
    assert "Nobody decided" not in page
    assert Entry.objects.get(action="questionnaire.intake_absent").summary.endswith("the platform did not accept it.")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_analysts_and_above_hand_in(desk, client, member, role):
    client.force_login(member(role))
    is_allowed = role >= Role.ANALYST
    assert (client.get(NEW).status_code == 200) is is_allowed
    assert (hand_in(client, upload()).status_code == 302) is is_allowed
    assert (NEW in client.get(PAGE).content.decode()) is is_allowed
    assert Intake.objects.exists() is is_allowed


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("https://a.example/q", "http://www.A.example:443/q/#part", True),
        ("https://a.example/q?x=1", "https://a.example/q?x=2", False),
        ("https://a.example/q", "https://a.example/Q", False),
        ("https://a.example:8443/q", "https://a.example/q", False),
        ("javascript:x", "", True),
        ("https://[x", "", True),
    ],
)
def test_two_addresses(one, other, are_same):
    assert (address_key(one) == address_key(other)) is are_same


def test_accounts_and_tags_are_offered_by_name_where_the_grant_covers_them(desk, analyst):
    tag = {"categoryId": "cat-1", "tagId": "tag-1"}
    desk.change_there(desk.questionnaire, tagAndCategoryIds=[tag])
    desk.fetch()
    assert "Unknown tag (tag-1)" in analyst.get(NEW).content.decode()
    cache.clear()
    named = {"kind": TAG, "category_id": "cat-1", "platform_id": "tag-1", "name": "Product: Vault"}
    Label.objects.create(**named, read_at=timezone.now())
    Label.objects.create(kind=ACCOUNT, platform_id="acc-1", name="Northwind Traders", read_at=timezone.now())
    page = analyst.get(NEW).content.decode()
    assert "Product: Vault" in page
    assert '<option value="Northwind Traders">' in page


def test_the_account_is_chosen_by_its_name(desk, analyst, sandbox):
    first, second = sandbox.objects(desk.tenant_id, "accounts")[:2]
    for one, name, domain in ((first, "Northwind", "north.example"), (second, "Northwind", "wind.example")):
        Account.objects.create(platform_id=one["id"], name=name, name_sort=name.lower(), domain=domain)
    Account.objects.create(platform_id="other", name="Helios", name_sort="helios")
    page = analyst.get(NEW).content.decode()
    assert '<option value="Northwind (wind.example)">' in page
    assert '<option value="Helios">' in page
    refused = hand_in(analyst, url="a.example", account_id="Northwind")
    assert "Several accounts have this name" in refused.content.decode()
    hand_in(analyst, url="a.example", account_id="northwind (WIND.example)", name="By its name")
    [made] = there(desk, "By its name")
    assert made["customerTrustAccountId"] == second["id"]
    row = Questionnaire.objects.get(platform_id=made["id"])
    assert 'value="Northwind (wind.example)"' in analyst.get(f"{NEW}?like={row.platform_id}").content.decode()


def test_accounts_are_named_and_linked_and_none_is_shown_by_its_id(desk, analyst):
    known, unknown, gone = "65a0aaaaaaaaaaaaaaaaaaaa", "65a0bbbbbbbbbbbbbbbbbbbb", "65a0cccccccccccccccccccc"
    Account.objects.create(platform_id=known, name="Northwind")
    Account.objects.create(platform_id=gone, name="Helios", gone_at=timezone.now())
    row = desk.questionnaire
    asked = Intake.objects.create(name="Review", state=IntakeState.ASKING, kind="WEBSITE", url="https://a.example")
    pages = (f"{address(row)}details/", f"/t/acme/questionnaires/intakes/{asked.pk}/")
    for account_id, words, link in (
        (known, "Northwind", f'href="/t/acme/customers/{known}/"'),
        (gone, "Helios (deleted on the platform)", f'href="/t/acme/customers/{gone}/"'),
        (unknown, "Unknown account", ""),
    ):
        Questionnaire.objects.filter(pk=row.pk).update(account_id=account_id)
        Intake.objects.update(account_id=account_id)
        for page in pages:
            text = analyst.get(page).content.decode()
            assert words in text
            assert link in text
            assert account_id not in text.replace(link, "")
