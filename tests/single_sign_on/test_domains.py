"""Proving mail domains, against a name server."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from portal.audit.models import Entry
from portal.single_sign_on import services
from portal.single_sign_on.models import MailDomain
from portal.single_sign_on.tasks import sweep_mail_domains
from portal.tenants.scope import tenant_scope
from tests.conftest import PASSWORD
from tests.support.mails import delivered

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/settings/single-sign-on/"


@pytest.fixture
def owner(client, alice, acme):
    client.force_login(alice)
    return client


def add(owner, name="acme.example"):
    return owner.post(f"{PAGE}domains/", {"domain": name}, follow=True)


def check(owner, domain):
    return owner.post(f"{PAGE}domains/{domain.pk}/check/", follow=True).content.decode()


def the_domain(acme):
    with tenant_scope(acme.pk):
        return MailDomain.objects.get()


def test_the_owner_proves_a_domain_with_the_record_that_is_shown(owner, acme, name_server):
    page = add(owner, " @Acme.Example. ").content.decode()
    domain = the_domain(acme)
    assert domain.name == "acme.example"
    assert domain.record_name in page
    assert domain.record_value in page
    assert "no matching record" in check(owner, domain).replace("&#x27;", "'")
    name_server.records["_trust-portal.acme.example"] = ["v=spf1", domain.record_value + "x"]
    assert "no matching record" in check(owner, domain)
    name_server.records["_trust-portal.acme.example"].append(domain.record_value)
    assert "acme.example is proven" in check(owner, domain)
    assert the_domain(acme).is_proven
    with tenant_scope(acme.pk):
        found = [*Entry.objects.order_by("id").values_list("action", "actor__name")]
    assert found == [("mail_domain.add", "Alice Ames"), ("mail_domain.prove", "Alice Ames")]


@pytest.mark.parametrize(
    "name",
    ["", "acme", "gmail.com", "acme..example", "-acme.example", "bücher.example", "1.2.3.4", "acme.example/x", "a" * 260],
)
def test_what_is_no_domain_of_a_company_is_refused(owner, acme, name):
    assert add(owner, name).status_code == 422
    with tenant_scope(acme.pk):
        assert not MailDomain.objects.exists()


def test_the_sweep_proves_what_waits_and_looks_again_each_day(owner, acme, name_server):
    add(owner)
    domain = the_domain(acme)
    name_server.records[domain.record_name] = [domain.record_value]
    sweep_mail_domains()
    assert not the_domain(acme).is_proven, "not yet due"
    with tenant_scope(acme.pk):
        MailDomain.objects.update(check_at=timezone.now())
    sweep_mail_domains()
    proven = the_domain(acme)
    assert proven.is_proven
    assert timedelta(hours=23) < proven.check_at - timezone.now() <= timedelta(days=1)


def fall_due(acme, **changes):
    with tenant_scope(acme.pk):
        MailDomain.objects.update(check_at=timezone.now(), **changes)
    sweep_mail_domains()
    delivered()
    return the_domain(acme)


def test_a_domain_whose_record_is_gone_is_lost_told_and_found_again(owner, acme, alice, name_server, mailoutbox):
    add(owner)
    domain = the_domain(acme)
    name_server.records[domain.record_name] = [domain.record_value]
    assert fall_due(acme).is_proven
    del name_server.records[domain.record_name]
    lost = fall_due(acme)
    assert (lost.is_proven, lost.lost_at is None) == (False, False)
    assert [message.to for message in mailoutbox] == [[alice.email]]
    assert "/t/acme/settings/single-sign-on/" in mailoutbox[0].body
    assert "No longer proven" in owner.get(PAGE).content.decode()
    fall_due(acme)
    assert len(mailoutbox) == 1
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="mail_domain.lose").count() == 1
    name_server.records[domain.record_name] = [domain.record_value]
    assert fall_due(acme).is_proven


def test_name_servers_that_say_nothing_prove_nothing_for_long(owner, acme, name_server):
    add(owner)
    domain = the_domain(acme)
    name_server.records[domain.record_name] = [domain.record_value]
    assert fall_due(acme).is_proven
    name_server.is_broken = True
    assert fall_due(acme).is_proven
    assert "didn't answer" in check(owner, domain).replace("&#x27;", "'")
    assert not fall_due(acme, seen_at=timezone.now() - timedelta(days=4)).is_proven


def test_a_domain_that_is_removed_is_gone_and_others_are_not_reached(owner, acme, globex, name_server):
    add(owner)
    domain = the_domain(acme)
    with tenant_scope(globex.pk):
        other = MailDomain.objects.create(name="globex.example", token="x", check_at=timezone.now())
    for verb in ("check", "remove"):
        assert owner.post(f"{PAGE}domains/{other.pk}/{verb}/").status_code == 404
    owner.post(f"{PAGE}domains/{domain.pk}/remove/")
    with tenant_scope(acme.pk):
        assert not MailDomain.objects.exists()


def test_a_tenant_has_only_so_many_domains(owner, acme, monkeypatch):
    monkeypatch.setattr(services.domains, "MAX_DOMAINS", 1)
    add(owner)
    assert "the limit of domains for a tenant" in add(owner, "other.example").content.decode()


def test_who_came_in_by_a_domain_that_is_lost_is_signed_out(client, make_client, acme, alice, bob, acme_provider, acme_sign_in):
    """Bob came through the provider, Alice with her password; both have an address of the domain."""
    acme_provider.sign_in(client, bob.email)
    hers = make_client()
    hers.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert [browser.get("/t/acme/").status_code for browser in (client, hers)] == [200, 200]
    fall_due(acme)
    assert [browser.get("/t/acme/").status_code for browser in (client, hers)] == [302, 200]


def test_who_came_through_a_provider_that_is_removed_is_signed_out(
    client, make_client, acme, alice, bob, acme_sign_in, acme_provider
):
    acme_provider.sign_in(client, bob.email)
    hers = make_client()
    hers.force_login(alice)
    hers.post(f"{PAGE}provider/remove/")
    assert [browser.get("/t/acme/").status_code for browser in (client, hers)] == [302, 200]


LINK = re.compile(r"http://127\.0\.0\.1:8000(/mail-domain/\S+/)")


def link_in(message) -> str:
    return LINK.search(message.body)[1]


def mail(owner, domain):
    return owner.post(f"{PAGE}domains/{domain.pk}/mail/", follow=True).content.decode()


def test_a_postmaster_proves_a_domain_with_the_link_in_a_mail(owner, make_client, acme, mailoutbox):
    add(owner)
    domain = the_domain(acme)
    assert "Email sent to postmaster@acme.example" in mail(owner, domain)
    [message] = mailoutbox
    assert message.to == ["postmaster@acme.example"]
    assert "Alice Ames (alice@acme.example)" in message.body
    theirs, link = make_client(), link_in(message)
    shown = theirs.get(link)
    assert (shown.status_code, "no-store" in shown["Cache-Control"], shown["Referrer-Policy"]) == (200, True, "no-referrer")
    assert not the_domain(acme).is_proven, "mail scanners open links"
    assert "acme.example is confirmed" in theirs.post(link).content.decode()
    proven = the_domain(acme)
    assert proven.is_proven
    assert link not in str(vars(proven)), "the token itself is not kept"
    assert timedelta(days=89) < proven.confirmed_until - timezone.now() <= timedelta(days=90)
    assert "Confirmed by postmaster@acme.example" in owner.get(PAGE).content.decode()
    with tenant_scope(acme.pk):
        assert [*Entry.objects.order_by("id").values_list("action", flat=True)][-2:] == [
            "mail_domain.mail",
            "mail_domain.prove",
        ]


def test_a_link_for_a_postmaster_works_once_and_for_a_week_and_the_newest_only(owner, acme, mailoutbox):
    add(owner)
    domain = the_domain(acme)
    mail(owner, domain)
    assert "emailed a moment ago" in mail(owner, domain)
    assert len(mailoutbox) == 1
    with tenant_scope(acme.pk):
        MailDomain.objects.update(mailed_at=timezone.now() - timedelta(minutes=11))
    mail(owner, domain)
    first, second = map(link_in, mailoutbox)
    assert owner.post(first).status_code == 404
    with tenant_scope(acme.pk):
        MailDomain.objects.update(mailed_at=timezone.now() - timedelta(days=8))
    assert owner.post(second).status_code == 404
    with tenant_scope(acme.pk):
        MailDomain.objects.update(mailed_at=timezone.now())
    assert owner.post(second).status_code == 200
    assert owner.post(second).status_code == 404
    assert owner.get("/mail-domain/nothing/").status_code == 404


def test_s9_no_postmasters_mailbox_is_filled_by_removing_a_domain_and_adding_it_again(owner, acme, mailoutbox):
    answers = []
    for _ in range(6):
        add(owner)
        answers.append(mail(owner, the_domain(acme)))
        owner.post(f"{PAGE}domains/{the_domain(acme).pk}/remove/")
    assert ["Too many emails were sent to" in answer for answer in answers] == [False] * 5 + [True]
    assert len(mailoutbox) == 5


def test_a_postmaster_is_asked_again_and_without_an_answer_the_domain_is_lost(owner, acme, name_server, mailoutbox):
    add(owner)
    mail(owner, the_domain(acme))
    owner.post(link_in(mailoutbox[0]))
    assert fall_due(acme).is_proven, "no record is needed"
    assert len(mailoutbox) == 1
    assert fall_due(acme, confirmed_until=timezone.now() + timedelta(days=10), mailed_at=None).is_proven
    fall_due(acme)
    assert [message.to for message in mailoutbox[1:]] == [["postmaster@acme.example"]], "asked again, and not each time"
    lost = fall_due(acme, confirmed_until=timezone.now() - timedelta(minutes=1))
    assert (lost.is_proven, lost.lost_at is None) == (False, False)
    assert mailoutbox[-1].to == ["alice@acme.example"]
    assert owner.post(link_in(mailoutbox[1])).status_code == 200
    assert the_domain(acme).is_proven


def test_a_domain_that_another_tenant_has_proven_is_not_taken_by_its_postmaster(owner, acme, globex, mailoutbox):
    with tenant_scope(globex.pk):
        MailDomain.objects.create(name="acme.example", token="x", proven_at=timezone.now(), check_at=timezone.now())
    add(owner)
    mail(owner, the_domain(acme))
    assert owner.post(link_in(mailoutbox[0])).status_code == 409
    assert not the_domain(acme).is_proven


@pytest.mark.usefixtures("one_moment")
def test_s9_a_person_has_the_record_looked_for_so_often_and_no_more(owner, acme, name_server):
    add(owner)
    domain = the_domain(acme)
    for _ in range(int(settings.ACCOUNT_RATE_LIMITS["check_domain"].partition("/")[0])):
        assert "no matching record" in check(owner, domain)
    name_server.records[domain.record_name] = [domain.record_value]
    assert "acme.example was checked too often" in check(owner, domain)
    assert not the_domain(acme).is_proven
