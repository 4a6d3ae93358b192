"""The review of access: what each check finds and why, what is kept, and where the facts come from."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access_requests.models import Viewer, ViewerRun
from portal.access_requests.services.viewer_checking import EVERY, check_viewers, tenants_to_check
from portal.access_requests.tasks import check_viewers as check_viewers_task
from portal.access_requests.tasks import sweep_viewer_checks
from portal.accounts.models import Account
from portal.audit.models import Entry
from portal.contracts.models import Contract
from portal.interest.models import Activity
from portal.tenants.models import Membership, Role
from tests.access_requests.conftest import make_viewer, words
from tests.access_requests.test_viewer_changes import change_there, fresh, there
from tests.access_requests.viewers import PAGE, let_work, states

REVIEW = f"{PAGE}review/"
LONG_AGO = timezone.now() - timedelta(days=200)


def names(client, tab, query=""):
    return {row.viewer.name for row, _ in client.get(f"{REVIEW}?tab={tab}{query}").context["rows"]}


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
    assert said[0].startswith("Nothing seen since")
    assert said[1:] == ["The account has no contract", "Writes from stray.example, the account is alpha.example"]
    counts = {tab["label"]: tab["count"] for tab in approver.get(REVIEW).context["tabs"]}
    assert counts == {"NDA pending": 1, "No NDA": 0, "No activity": 2, "No contract": 2, "Other domain": 1, "Never ends": 1}


def test_checks_that_nothing_is_known_for_are_not_offered(scoped, approver):
    make_viewer("Alpha")
    tabs = [tab["label"] for tab in approver.get(REVIEW).context["tabs"]]
    assert tabs == ["NDA pending", "No NDA", "Never ends"]
    assert "Nothing to look at" in words(approver.get(REVIEW))


def test_who_is_kept_is_left_out_until_the_day_and_the_word_stays_out_of_the_audit(scoped, approver):
    row = make_viewer("Alpha")
    change = f"{REVIEW}change/?tab=never"
    asked = approver.post(change, {"action": "keep", "chosen": row.pk})
    assert "Why it is right" in words(asked)
    assert approver.post(change, {"action": "keep", "chosen": row.pk, "confirmed": "1", "months": "6"}).status_code == 422
    said = {"action": "keep", "all": "1", "confirmed": "1", "months": "6", "word": "Alpha is our auditor"}
    assert approver.post(change, said)["Location"] == f"{REVIEW}?tab=never"
    assert names(approver, "never") == set()
    [entry] = Entry.objects.filter(action="viewer.keep")
    assert "auditor" not in f"{entry.summary} {entry.details}"
    assert "auditor" in words(approver.get(f"{PAGE}{row.platform_id}/"))
    Viewer.objects.update(kept_until=timezone.now())
    assert "Kept before by Alice Ames: Alpha is our auditor" in words(approver.get(f"{REVIEW}?tab=never"))


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
    assert "no account of this name" in words(wrong)
    approver.post(change, {"action": "link", "chosen": row.pk, "confirmed": "1", "account": "solar works"})
    let_work()
    assert states(ViewerRun.objects.get()) == ["done"]
    assert there(desk, row)["customerTrustAccountId"] == account["id"]
    assert (fresh(row).account_id, fresh(row).checked_at) == (account["id"], None)
    check_viewers()
    assert fresh(row).other_domain == "solar.example"
    assert "Solar Works" in words(approver.get(f"{PAGE}{row.platform_id}/"))
    assert Membership.objects.exists()


def test_two_accounts_of_one_name_are_not_guessed_between(scoped, approver):
    row = make_viewer("Alpha")
    make_account("alpha", "alpha.example")
    Account.objects.create(platform_id="other", name="Alpha Ltd")
    said = {"action": "link", "chosen": row.pk, "confirmed": "1", "account": "Alpha Ltd"}
    assert "Several accounts have this name" in words(approver.post(f"{PAGE}change/", said))
