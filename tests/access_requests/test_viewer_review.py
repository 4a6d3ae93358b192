"""The review of access: what each check finds and why, what is kept, and where the facts come from."""

import csv
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from portal.access_requests.models import ContractState, Viewer, ViewerRun
from portal.access_requests.services import viewer_checks
from portal.access_requests.services.viewer_checks import CHECK, EVERY, check_viewers, tenants_to_check
from portal.access_requests.tasks import check_viewers as check_viewers_task
from portal.access_requests.tasks import sweep_viewer_checks
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.contracts.models import Contract
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center_activity.models import Activity
from tests.access_requests.conftest import PAGE as DESK
from tests.access_requests.conftest import make, make_viewer, words
from tests.access_requests.rules import compared
from tests.access_requests.test_viewer_changes import change_there, fresh, there
from tests.access_requests.viewers import PAGE, let_work, states
from tests.support.members import is_member
from tests.support.worker import worker

REVIEW = f"{PAGE}review/"
LONG_AGO = timezone.now() - timedelta(days=200)


def names(client, tab, query=""):
    return {row.viewer.name for row, _ in client.get(f"{REVIEW}?tab={tab}{query}").context["rows"]}


def exported(client, query):
    content = b"".join(client.post(f"{REVIEW}export/{query}").streaming_content).decode("utf-8-sig")
    return list(csv.reader(content.splitlines()))[1:]


def reasons(client, tab, name):
    return next(why for row, why in client.get(f"{REVIEW}?tab={tab}").context["rows"] if row.viewer.name == name)


def make_account(key, domain):
    return Account.objects.create(platform_id=key, name=f"{key.title()} Ltd", domain=domain)


def see(viewer, at):
    Activity.objects.create(platform_id=f"a-{viewer.pk}", at=at, folded_email=viewer.folded_email)


def test_each_check_finds_its_people_and_every_row_says_why(scoped, approver):
    make_account("alpha", "alpha.example")
    make_account("beta", "beta.example")
    Contract.objects.create(platform_id="c1", account_id="beta", name="MSA", created_at=LONG_AGO)
    alpha = make_viewer("Alpha", days=9, nda_provider="ONE_CLICK")
    make_viewer("Beta", nda_provider="ONE_CLICK", nda_satisfied_at=timezone.now(), account_id="beta")
    make_viewer("Stray", days=9, account_id="alpha", nda_provider="ONE_CLICK", nda_satisfied_at=timezone.now())
    make_viewer("Over", days=-9, account_id="alpha")
    Viewer.objects.update(created_at=LONG_AGO)
    see(alpha, timezone.now())
    compared()
    assert check_viewers() is False
    assert names(approver, "nda") == {"Alpha"}
    assert names(approver, "none") == set()
    assert names(approver, "quiet") == {"Beta", "Stray"}
    assert names(approver, "quiet", "&days=365") == set()
    assert names(approver, "contract") == {"Alpha", "Stray"}
    assert names(approver, "domain") == {"Stray"}
    assert names(approver, "never") == {"Beta"}
    assert names(approver, "never", "&q=stray") == set()
    said = reasons(approver, "domain", "Stray")
    assert said[0].startswith("No activity since")
    assert said[1:] == ["The account has no contract", "Email domain is stray.example, the account's is alpha.example"]
    counts = {tab["label"]: tab["count"] for tab in approver.get(REVIEW).context["tabs"]}
    ndas = {"Person's NDA pending": 1, "Person's NDA missing": 0}
    assert counts == ndas | {"No activity": 2, "No contract": 2, "Domain mismatch": 1, "Never ends": 1}


@pytest.mark.parametrize("change", [{"account_id": "beta"}, {"folded_email": "alpha@beta.example", "domain": "beta.example"}])
def test_what_was_looked_up_of_another_account_or_address_is_not_kept(scoped, monkeypatch, change):
    make_account("alpha", "alpha.example")
    make_account("beta", "beta.example")
    row = make_viewer("Alpha", account_id="alpha")
    compared()
    look_up = viewer_checks.facts_for_accounts

    def look_up_meanwhile(*arguments, **options):
        Viewer.objects.filter(account_id="alpha", domain="alpha.example").update(**change, checked_at=None)
        return look_up(*arguments, **options)

    monkeypatch.setattr(viewer_checks, "facts_for_accounts", look_up_meanwhile)
    check_viewers()
    row.refresh_from_db()
    assert row.other_domain == ("beta.example" if "account_id" in change else "alpha.example")


def test_checks_that_nothing_is_known_for_are_not_offered(scoped, approver):
    make_viewer("Alpha")
    compared()
    check_viewers()
    tabs = [tab["label"] for tab in approver.get(REVIEW).context["tabs"]]
    assert tabs == ["Person's NDA pending", "Person's NDA missing", "Never ends"]
    assert "Nothing to review" in words(approver.get(REVIEW))


def test_who_is_kept_is_left_out_until_the_day_and_the_word_stays_out_of_the_audit(scoped, approver):
    row = make_viewer("Alpha")
    change = f"{REVIEW}change/?tab=never"
    asked = approver.post(change, {"action": "keep", "chosen": row.pk})
    assert "Reason to keep" in words(asked)
    assert approver.post(change, {"action": "keep", "chosen": row.pk, "confirmed": "1", "months": "6"}).status_code == 422
    said = {"action": "keep", "all": "1", "confirmed": "1", "months": "6", "word": "Alpha is our auditor"}
    assert approver.post(change, said)["Location"] == f"{REVIEW}?tab=never"
    until = date_format(timezone.localtime(fresh(row).kept_until), "j M Y")
    assert f"1 person left out of the review until {until}." in words(approver.get(f"{REVIEW}?tab=never"))
    assert names(approver, "never") == set()
    [entry] = Entry.objects.filter(action="viewer.keep")
    assert "auditor" not in f"{entry.summary} {entry.details}"
    assert "auditor" in words(approver.get(f"{PAGE}{row.platform_id}/"))
    Viewer.objects.update(kept_until=timezone.now())
    assert "Kept before by Alice Ames: Alpha is our auditor" in words(approver.get(f"{REVIEW}?tab=never"))


def test_s8_the_file_is_what_the_check_shows_with_its_reasons_and_who_kept_whom(scoped, client, approver, member):
    quiet, kept, later = make_viewer("=cmd()"), make_viewer("Beta", nda_provider="ONE_CLICK"), make_viewer("Gamma", days=4)
    asked = {"action": "keep", "chosen": kept.pk, "confirmed": "1", "months": "6", "word": "Beta is our auditor"}
    approver.post(f"{REVIEW}change/?tab=never", asked)
    assert [line[0] for line in exported(approver, "?tab=never")] == [quiet.platform_id]
    Viewer.objects.update(kept_until=timezone.now())
    client.force_login(member(Role.ANALYST))
    assert "viewers/review/export/?tab=never" in client.get(f"{REVIEW}?tab=never").content.decode()
    for query in ("?tab=never", "?tab=nda", "?tab=none", "?tab=never&q=beta", "?tab=quiet&days=30"):
        rows = client.get(f"{REVIEW}{query}").context["rows"]
        lines = exported(client, query)
        assert [(line[0], line[4]) for line in lines] == [(row.viewer.platform_id, "; ".join(why)) for row, why in rows]
    by_id = {line[0]: line for line in exported(client, "?tab=never")}
    assert by_id.keys() == {quiet.platform_id, kept.platform_id}
    assert by_id[quiet.platform_id][1] == "'=cmd()"
    assert by_id[kept.platform_id][8:10] == ["Alice Ames", "Beta is our auditor"]
    assert by_id[kept.platform_id][10][:10] == timezone.now().date().isoformat()
    assert later.platform_id not in by_id
    done = Entry.objects.filter(action="viewer.export", summary="Exported the access review as CSV.")
    assert done.count() == 7
    assert "beta" not in str(list(done.values_list("details")))
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{REVIEW}export/").status_code == 403


def test_all_of_a_check_are_changed_from_there(scoped, approver):
    kept, ended = make_viewer("Alpha"), make_viewer("Beta", days=4)
    approver.post(f"{REVIEW}change/?tab=never", {"action": "extend", "all": "1", "confirmed": "1", "expiry": "30"})
    run = ViewerRun.objects.get()
    assert [item.viewer_id for item in run.items.all()] == [kept.pk]
    assert ended.pk != kept.pk


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_lower_roles_read_the_review_and_keep_nobody(scoped, client, member, role):
    row = make_viewer("Alpha")
    client.force_login(member(role))
    assert 'name="action"' not in words(client.get(f"{REVIEW}?tab=never"))
    said = {"action": "keep", "chosen": row.pk, "confirmed": "1", "months": "6", "word": "x"}
    assert client.post(f"{REVIEW}change/", said).status_code == 403
    assert fresh(row).kept_until is None


def test_facts_are_looked_up_again_after_an_hour_and_when_the_account_changes(scoped, acme):
    row = make_viewer("Alpha")
    assert tenants_to_check() == [acme.pk]
    sweep_viewer_checks()
    check_viewers_task(acme.pk)
    assert tenants_to_check() == []
    Viewer.objects.update(checked_at=timezone.now() - EVERY)
    assert tenants_to_check() == [acme.pk]
    assert check_viewers(seconds=-1) is True
    assert fresh(row).checked_at > timezone.now() - EVERY


def test_r1_the_sweep_has_every_viewer_checked_by_the_name_that_it_enqueues(scoped, django_capture_on_commit_callbacks):
    make_account("alpha", "alpha.example")
    make_viewer("Alpha")
    make_viewer("Beta")
    compared()
    with worker() as taken, django_capture_on_commit_callbacks(execute=True):
        sweep_viewer_checks()
    assert taken == [CHECK]
    assert list(Viewer.objects.filter(checked_at=None)) == []
    assert {row.name: row.contract for row in Viewer.objects.all()} == {
        "Alpha": ContractState.NONE,
        "Beta": ContractState.NO_ACCOUNT,
    }
    assert all(row.quiet_since == row.created_at for row in Viewer.objects.all())


def test_linking_tells_the_platform_and_has_the_facts_looked_up_again(desk, approver):
    row = Viewer.objects.filter(gone_at=None).order_by("-expires_sort", "pk")[0]
    account = next(iter(desk.there("accounts").values()))
    Account.objects.create(platform_id=account["id"], name="Solar Works", domain="solar.example")
    change_there(desk, row, customerTrustAccountId=None)
    desk.fetch()
    check_viewers()
    change = f"{PAGE}change/"
    assert "Solar Works" in words(approver.post(change, {"action": "link", "chosen": row.pk}))
    wrong = approver.post(change, {"action": "link", "chosen": row.pk, "confirmed": "1", "account": "Nobody Inc"})
    assert "No account has this name" in words(wrong)
    approver.post(change, {"action": "link", "chosen": row.pk, "confirmed": "1", "account": "solar works"})
    let_work()
    assert states(ViewerRun.objects.get()) == ["done"]
    assert there(desk, row)["customerTrustAccountId"] == account["id"]
    assert (fresh(row).account_id, fresh(row).checked_at) == (account["id"], None)
    check_viewers()
    assert fresh(row).other_domain == "solar.example"
    assert "Solar Works" in words(approver.get(f"{PAGE}{row.platform_id}/"))
    assert is_member()


def test_two_accounts_of_one_name_are_not_guessed_between(scoped, approver):
    row = make_viewer("Alpha")
    make_account("alpha", "alpha.example")
    Account.objects.create(platform_id="other", name="Alpha Ltd")
    said = {"action": "link", "chosen": row.pk, "confirmed": "1", "account": "Alpha Ltd"}
    assert "Several accounts have this name" in words(approver.post(f"{PAGE}change/", said))


def tab(client, label, page=REVIEW):
    return next(each for each in client.get(page).context["tabs"] if each["label"] == label)


CHECKS = ["No activity", "No contract", "Domain mismatch"]


def test_the_tenant_that_has_waited_longest_is_looked_up_first(scoped, acme, globex):
    for tenant, hours in ((acme, 2), (globex, 3)):
        with tenant_scope(tenant.pk):
            make_viewer("Alpha", checked_at=timezone.now() - hours * EVERY)
    assert tenants_to_check() == [globex.pk, acme.pk]
    make_viewer("Beta")
    Viewer.objects.filter(name="Alpha").delete()
    assert tenants_to_check() == [acme.pk, globex.pk], "nobody was ever looked up there"


@pytest.mark.parametrize("label", CHECKS)
def test_r3_before_anybody_was_looked_at_a_check_counts_nothing(scoped, approver, label):
    make_account("alpha", "alpha.example")
    make_viewer("Alpha")
    see(make_viewer("Beta"), LONG_AGO)
    compared()
    found = tab(approver, label)
    assert (found["count"], found["unchecked"], found["remark"]) == (None, 2, "not checked")
    page = approver.get(f"{REVIEW}{found['url'].removeprefix(REVIEW)}")
    assert page.context["unchecked"] == 2
    assert "Nothing to review" not in words(page)
    check_viewers()
    found = tab(approver, label)
    assert (found["unchecked"], found["remark"]) == (0, "")
    assert found["count"] is not None
    assert approver.get(REVIEW).context["checked"].oldest_at is not None


def test_r3_a_count_says_how_many_were_not_looked_at(scoped, approver):
    make_account("alpha", "alpha.example")
    compared()
    make_viewer("Alpha")
    check_viewers()
    make_viewer("Beta"), make_viewer("Gamma")
    found = tab(approver, "No contract")
    assert (found["count"], found["remark"]) == (1, "2 not checked")
    said = approver.get(f"{REVIEW}?tab=contract").context["checked"]
    assert (said.number, said.total, said.is_whole) == (1, 3, False)


@pytest.mark.parametrize(
    ("kind", "label"), [("activity", "No activity"), ("contract", "No contract"), ("account", "Domain mismatch")]
)
def test_r3_what_a_list_that_was_never_read_would_say_is_not_known(scoped, approver, acme, kind, label):
    """Looked at, but in an empty copy: nobody is called quiet or without a contract because of that."""
    make_account("alpha", "alpha.example")
    row = make_viewer("Alpha", account_id="alpha")
    Viewer.objects.update(created_at=LONG_AGO)
    see(row, LONG_AGO)
    compared(but=kind)
    check_viewers()
    assert fresh(row).checked_at
    assert tab(approver, label)["remark"] == "not checked"
    assert "Not checked yet" in " ".join(reasons(approver, "never", "Alpha")) or kind == "account"
    if kind == "account":
        return
    # As soon as the list was read, not an hour later.
    assert tenants_to_check() == []
    compared()
    assert tenants_to_check() == [acme.pk]
    check_viewers()
    assert (tab(approver, label)["count"], tab(approver, label)["remark"]) == (1, "")
    assert tenants_to_check() == []


def test_r3_last_seen_filters_say_whom_they_cannot_tell(scoped, approver):
    make_viewer("Alpha")
    for seen in ("30", "quiet-90", "quiet-365"):
        page = approver.get(f"{PAGE}?seen={seen}")
        assert (len(page.context["rows"]), page.context["unchecked"]) == (0, 1)
        assert {each["count"] for each in page.context["tabs"] if each["label"] in ("Active", "All")} == {None}
        assert "?seen=unknown" in words(page)
    page = approver.get(f"{PAGE}?seen=unknown")
    assert ([each.viewer.name for each in page.context["rows"]], page.context["unchecked"]) == (["Alpha"], 0)
    compared()
    check_viewers()
    assert approver.get(f"{PAGE}?seen=30").context["unchecked"] == 0
    assert len(approver.get(f"{PAGE}?seen=30").context["rows"]) == 1


def test_r3_a_viewer_s_page_claims_no_activity_and_no_contract_before_it_was_looked_up(scoped, approver):
    row = make_viewer("Alpha", account_id="alpha")
    make_account("alpha", "alpha.example")

    def pane():
        return words(approver.get(f"{PAGE}{row.platform_id}/")).partition('id="viewer"')[2]

    before = pane()
    assert before.count("not checked yet") >= 2
    compared()
    check_viewers()
    after = pane()
    assert "not checked yet" not in after
    assert "never seen" in after


def test_r3_a_request_s_facts_claim_nothing_before_the_lists_were_read(scoped, approver):
    row = make("Alpha")
    address = f"{DESK}{row.platform_id}/"
    [shown] = approver.get(DESK).context["rows"]
    assert (shown.nda[0], shown.knows_viewers, shown.knows_accounts) == ("This person: not checked yet", False, False)
    assert shown.domain.viewers is None
    assert words(approver.get(address)).count("not checked yet") >= 4
    compared()
    [shown] = approver.get(DESK).context["rows"]
    assert (shown.nda[0], shown.domain.viewers) == ("This person: none", 0)
    assert "not checked yet" not in words(approver.get(address))


def test_r3_with_access_counts_only_those_who_have_it(scoped, approver):
    compared()
    make("Alpha", email="ann@one.example")
    make_viewer("Now", days=9)
    make_viewer("Over", days=-9)
    Viewer.objects.update(domain="one.example")
    [shown] = approver.get(DESK).context["rows"]
    assert shown.domain.viewers == 1
