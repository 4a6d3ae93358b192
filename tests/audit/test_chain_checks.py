"""S12: each chain is checked once a day, and what was found is kept for the page of the audit trail."""

import logging
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from portal.audit.chain import verify
from portal.audit.chain_checks import are_accounts_due, check_chain, tenants_to_check
from portal.audit.models import AccountCheck, AccountLink, ChainCheck
from portal.audit.tasks import check_chains
from tests.audit.test_chain import HARM, _note, _run, _without_guards, entries
from tests.support.turns import fails_in

pytestmark = pytest.mark.django_db
__all__ = ["entries"]


def test_s12_every_tenant_is_checked_once_a_day(entries, acme, globex):
    assert tenants_to_check() == [acme.pk, globex.pk]
    check_chains()
    assert tenants_to_check() == []
    found = ChainCheck.objects.get()
    assert (found.links, found.fault) == (5, "")
    ChainCheck.objects.update(at=timezone.now() - timedelta(hours=25))
    assert tenants_to_check() == [acme.pk]
    globex.closed_at = timezone.now()
    globex.save()
    assert globex.pk not in tenants_to_check()


def test_s12_a_tenant_whose_chain_cannot_be_checked_keeps_no_other_unchecked(entries, acme, globex, monkeypatch):
    monkeypatch.setattr("portal.audit.tasks.check_chain", fails_in(acme, check_chain))
    check_chains()
    assert tenants_to_check() == [acme.pk]


def test_s12_a_broken_chain_is_kept_and_told_to_the_operator(entries, acme, caplog):
    _without_guards()
    _run(HARM["changed"], entries[2].pk)
    with caplog.at_level(logging.ERROR):
        check_chain(acme.pk)
    assert ChainCheck.objects.get().fault == f"Link 3: entry {entries[2].pk} was changed."
    assert f"the audit trail of tenant {acme.pk} was touched" in caplog.text


def test_s12_the_end_of_a_chain_that_holds_is_logged_where_no_database_changes_it(entries, acme, caplog):
    with caplog.at_level(logging.INFO):
        check_chain(acme.pk)
    assert f"tenant {acme.pk} holds: 5 links, the last is {verify(acme.pk).head}" in caplog.text


def test_s12_a_chain_that_was_cut_off_at_its_end_is_found_by_the_next_check(entries, acme, alice):
    check_chain(acme.pk)
    _without_guards()
    _run("DELETE FROM audit_link WHERE entry_id >= %s", entries[3].pk)
    _run("DELETE FROM audit_entry WHERE id >= %s", entries[3].pk)
    for _ in range(2):  # also when it is checked again
        assert check_chain(acme.pk).fault == "Link 5 was cut off: it held at the last check."
    for number in range(3):
        _note(number, alice)
    assert check_chain(acme.pk).fault == "Link 5 was cut off: it held at the last check."


def test_s12_the_command_finds_an_end_that_was_cut_off_too(entries, acme):
    check_chain(acme.pk)
    _without_guards()
    _run("DELETE FROM audit_link WHERE entry_id >= %s", entries[3].pk)
    _run("DELETE FROM audit_entry WHERE id >= %s", entries[3].pk)
    output = StringIO()
    with pytest.raises(CommandError, match="acme"):
        call_command("verify_audit", acme.slug, stdout=output)
    assert "link 5 is broken: it was cut off" in output.getvalue()


def test_s12_the_events_of_accounts_are_checked_once_a_day_too(client, alice, mallory, caplog):
    for user in (alice, mallory):
        client.force_login(user)
    verify(None)
    assert are_accounts_due()
    check_chains()
    assert not are_accounts_due()
    assert AccountCheck.objects.get().fault == ""
    _without_guards()
    last = AccountLink.objects.order_by("-place").first()
    _run("DELETE FROM audit_accountlink WHERE id = %s", last.pk)
    _run("DELETE FROM audit_accountevent WHERE id = %s", last.entry_id)
    AccountCheck.objects.update(at=timezone.now() - timedelta(hours=25))
    with caplog.at_level(logging.ERROR):
        check_chains()
    assert "cut off" in AccountCheck.objects.get().fault
    assert "the audit trail of the accounts was touched" in caplog.text
