"""S12: a check on the clock walks what is new and a portion of the rest, and nothing of a chain goes unseen for it."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from portal.audit import chain, chain_checks
from portal.audit.chain import seal
from portal.audit.chain_checks import check_chain, tenants_to_check
from portal.audit.models import ChainCheck, Entry, Link
from tests.audit.test_chain import HARM, _note, _run, _without_guards, entries

pytestmark = pytest.mark.django_db
__all__ = ["entries"]

AT_AN_EDGE = {
    "removed": "DELETE FROM audit_link WHERE place = %s AND tenant_id = %s",
    "changed": "UPDATE audit_link SET hash = 'another' WHERE place = %s AND tenant_id = %s",
}
MOVED = {"again": ("round_place", "round_head", 4, 1), "new": ("links", "head", 7, 6)}
"""What somebody writes over in the record of the last check, up to which place, and the place of the row that was changed."""


@pytest.fixture(autouse=True)
def small_portions(monkeypatch):
    """Two links are a batch, and as many are walked again by a check."""
    monkeypatch.setattr(chain, "BATCH", 2)
    monkeypatch.setattr(chain_checks, "MIN_PORTION", 2)


def _add(number, actor):
    """Write one row more, with its link."""
    row = _note(number, actor)
    seal(row.tenant_id, [row.pk])
    return row


@pytest.mark.parametrize("what", ["changed", "removed"])
@pytest.mark.parametrize("place", range(1, 6))
def test_s12_each_portion_finds_what_was_touched_in_it(entries, acme, place, what):
    assert check_chain(acme.pk).fault == ""
    _without_guards()
    _run(HARM[what], entries[place - 1].pk)
    untouched = (place - 1) // 2
    found = f"Link {place}: entry {entries[place - 1].pk} was {what}."
    assert [check_chain(acme.pk).fault for _ in range(3)] == [""] * untouched + [found] * (3 - untouched)


@pytest.mark.parametrize("what", AT_AN_EDGE)
@pytest.mark.parametrize("place", [2, 3, 4])
def test_s12_a_link_at_the_edge_of_a_portion_is_missed(entries, acme, place, what):
    for _ in range(2):
        assert check_chain(acme.pk).fault == ""
    assert ChainCheck.objects.get().round_place == 2
    _without_guards()
    _run(AT_AN_EDGE[what], place, acme.pk)
    fault = check_chain(acme.pk).fault
    assert fault.split()[:2] in (["Link", str(place)], ["Link", f"{place}:"])


def test_s12_what_is_new_is_walked_by_the_next_check(entries, acme, alice):
    check_chain(acme.pk)
    added = [_add(number, alice) for number in (5, 6)]
    _without_guards()
    _run(HARM["changed"], added[1].pk)
    assert check_chain(acme.pk).fault == f"Link 7: entry {added[1].pk} was changed."


@pytest.mark.parametrize("which", MOVED)
def test_s12_a_record_that_somebody_moved_on_hides_nothing(entries, acme, alice, which):
    place_column, hash_column, moved_to, changed = MOVED[which]
    check_chain(acme.pk)
    for number in (5, 6):
        _add(number, alice)
    _without_guards()
    _run(HARM["changed"], Link.objects.get(place=changed).entry_id)
    ChainCheck.objects.update(**{place_column: moved_to, hash_column: Link.objects.get(place=moved_to).hash})
    assert check_chain(acme.pk).fault.startswith(f"Link {changed}:")


def test_s12_a_record_of_before_hides_nothing_for_longer_than_30_days(entries, acme):
    for _ in range(2):
        check_chain(acme.pk)
    _without_guards()
    _run(HARM["changed"], entries[0].pk)
    assert check_chain(acme.pk).fault == ""
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert check_chain(acme.pk).fault.startswith("Link 1:")


def test_s12_a_round_is_over_after_28_days_however_long_the_chain_is(entries, acme, monkeypatch):
    monkeypatch.setattr(chain_checks, "MIN_PORTION", 0)
    check_chain(acme.pk)
    began_at = ChainCheck.objects.get().round_began_at
    with time_machine.travel(began_at + timedelta(days=14)):
        check_chain(acme.pk)
    assert ChainCheck.objects.get().round_place == 3
    with time_machine.travel(began_at + timedelta(days=27, hours=1)):
        check_chain(acme.pk)
    found = ChainCheck.objects.get()
    assert found.round_place == 0
    assert found.round_began_at > began_at + timedelta(days=27)


def test_s12_a_check_without_time_goes_on_after_the_others(entries, acme, globex):
    assert [check_chain(acme.pk, seconds=-1).links for _ in range(3)] == [2, 4, 5]
    assert tenants_to_check() == [globex.pk, acme.pk]
    assert check_chain(acme.pk).links == 5
    assert tenants_to_check() == [globex.pk]


def test_s12_a_fault_stays_until_a_check_had_the_time_to_come_past_it(entries, acme):
    _without_guards()
    _run(HARM["changed"], entries[4].pk)
    found = f"Link 5: entry {entries[4].pk} was changed."
    assert check_chain(acme.pk).fault == found
    unfinished = check_chain(acme.pk, seconds=-1)
    assert (unfinished.links, unfinished.fault) == (2, found)
    assert check_chain(acme.pk).fault == found
    _run("UPDATE audit_entry SET summary = %s WHERE id = %s", entries[4].summary, entries[4].pk)
    assert check_chain(acme.pk).fault == ""


def test_s12_a_row_that_was_committed_late_gets_its_link_from_the_next_check(entries, acme):
    last = entries[-1].pk
    columns = {"action": "rule.change", "target_kind": "rule", "target_id": "5", "summary": "Changed.", "source": "system"}
    seal(acme.pk, [Entry.objects.create(pk=last + 2, **columns).pk])
    assert check_chain(acme.pk).links == 6
    late = Entry.objects.create(pk=last + 1, **columns)
    assert check_chain(acme.pk).links == 7
    assert Link.objects.get(place=7).entry_id == late.pk


def test_s12_the_command_walks_everything(entries, acme):
    check_chain(acme.pk)
    _without_guards()
    _run(HARM["changed"], entries[4].pk)
    assert check_chain(acme.pk).fault == ""
    output = StringIO()
    with pytest.raises(CommandError, match="acme"):
        call_command("verify_audit", acme.slug, stdout=output)
    assert f"link 5 is broken: entry {entries[4].pk} was changed" in output.getvalue()
