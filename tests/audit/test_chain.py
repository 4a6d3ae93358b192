"""Guarantees S8 and S12: nobody rewrites the audit trail, and whoever gets past the guards is found out."""

import base64
import json
from hashlib import sha256
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from portal.audit import guards
from portal.audit.chain import START, verify
from portal.audit.keys import _key
from portal.audit.models import AccountEvent, AccountLink, Entry, Link
from portal.audit.services import new_entry, record, record_all
from portal.lib.keys import ring
from portal.lib.sealed import Locked
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.sealing import forget_locked, reseal

HARM = {
    "changed": "UPDATE audit_entry SET summary = 'nothing happened' WHERE id = %s",
    "removed": "DELETE FROM audit_entry WHERE id = %s",
    "inserted": (
        "INSERT INTO audit_entry (digest, at, source, actor_name, action, target_kind, target_id, summary, details, tenant_id) "
        "SELECT digest, at, source, 'Somebody else', action, target_kind, target_id, summary, details, tenant_id "
        "FROM audit_entry WHERE id = %s"
    ),
}


@pytest.fixture
def entries(scoped, alice, django_capture_on_commit_callbacks):
    """Five linked rows of acme, of two transactions."""
    made = []
    for numbers in (range(3), range(3, 5)):
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            made += [_note(number, alice) for number in numbers]
    return made


def _note(number, actor):
    details = {"of": [1, 2.5, None, "ü"], "nested": {"b": True, "a": {}}}
    return record("rule.change", target=("rule", str(number)), summary=f"Changed {number}.", actor=actor, details=details)


def _run(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _without_guards():
    for statement in guards.removals(connection.vendor):
        _run(statement)


def test_s8_the_database_refuses_to_change_or_remove_audit_rows(entries, acme):
    for table in ("audit_entry", "audit_link"):
        for statement in ("DELETE FROM {}", "UPDATE {} SET id = id"):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                _run(statement.format(table))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Entry.objects.filter(pk=entries[0].pk).update(summary="x")
    assert Entry.objects.count() == 5


def test_s8_nor_the_events_of_accounts(client, alice):
    client.force_login(alice)
    assert AccountEvent.objects.get().action == "account.sign_in"
    verify(None)
    for table in ("audit_accountevent", "audit_accountlink"):
        for statement in ("DELETE FROM {}", "UPDATE {} SET id = id"):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                _run(statement.format(table))


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite knows no TRUNCATE")
def test_s8_nor_to_empty_a_table_at_once(db):
    for table in guards.TABLES:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            _run(f"TRUNCATE {table}")


def test_s8_the_rows_of_a_closed_tenant_go_with_it(entries, acme, globex, mallory):
    with tenant_scope(globex.pk):
        kept = _note(9, mallory)
    acme.closed_at = timezone.now()
    acme.save()
    with all_tenants("a closed tenant is removed"):
        acme.delete()
        assert list(Entry.objects.values_list("pk", flat=True)) == [kept.pk]
        assert not Link.objects.exists()


def test_s8_a_tenant_is_not_closed_for_a_moment_to_cut_its_trail(entries, acme):
    acme.closed_at = timezone.now()
    acme.save()
    acme.closed_at = None
    with pytest.raises(DatabaseError, match="stays closed"), transaction.atomic():
        acme.save()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL knows no REPLACE")
def test_s8_nor_is_a_row_replaced(entries, acme, client, alice):
    client.force_login(alice)
    verify(None)
    for table in guards.TABLES:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table} ORDER BY id LIMIT 1")  # noqa: S608
            names, row = [column[0] for column in cursor.description], cursor.fetchone()
        for columns, values in ((names, row), (names[1:], row[1:])):
            if columns == names or table.endswith("link"):
                given = ", ".join(["%s"] * len(values))
                with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                    _run(f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({given})", *values)  # noqa: S608


def test_s12_an_untouched_trail_holds_on_both_databases(entries, acme):
    verdict = verify(acme.pk)
    assert (verdict.links, verdict.broken) == (5, None)
    assert list(Link.objects.values_list("entry_id", flat=True)) == [entry.pk for entry in entries]


@pytest.mark.parametrize("what", HARM)
def test_s12_the_check_names_what_was_done_past_the_guards(entries, acme, what):
    _without_guards()
    _run(HARM[what], entries[2].pk)
    if what == "inserted":
        found, place = Entry.objects.order_by("-pk")[0].pk, 6
    else:
        found, place = entries[2].pk, 3
    output = StringIO()
    with pytest.raises(CommandError, match="acme"):
        call_command("verify_audit", acme.slug, stdout=output)
    assert f"link {place} is broken: entry {found} was {what}" in output.getvalue()


def test_s12_a_row_whose_hash_was_made_to_fit_breaks_its_link(entries, acme):
    _without_guards()
    row = entries[1]
    row.summary = "Something else."
    row.save()
    broken = verify(acme.pk).broken
    assert broken and (broken.place, broken.entry_id) == (2, row.pk)
    assert "link" in broken.what


def test_s12_a_removed_link_is_named(entries, acme):
    _without_guards()
    _run("DELETE FROM audit_link WHERE place = 2 AND tenant_id = %s", acme.pk)
    broken = verify(acme.pk).broken
    assert broken and broken.place == 2


def test_s12_a_row_whose_process_was_killed_before_its_link_gets_one(entries, acme, alice):
    _note(5, alice)  # nothing runs after a commit here, as after a kill
    assert Link.objects.count() == 5
    assert verify(acme.pk).links == 6


def test_s12_rows_written_together_are_links_like_others(entries, acme, alice, django_capture_on_commit_callbacks):
    rows = [new_entry("rule.change", target=("rule", str(number)), summary="Changed.", actor=alice) for number in range(3)]
    with django_capture_on_commit_callbacks(execute=True) as seals, transaction.atomic():
        record_all(rows)
        record_all([])
    assert len(seals) == 1
    assert list(Link.objects.values_list("entry_id", flat=True)) == [row.pk for row in (*entries, *rows)]
    assert verify(acme.pk).broken is None
    _without_guards()
    _run(HARM["changed"], rows[1].pk)
    assert (verify(acme.pk).broken.place, verify(acme.pk).broken.what) == (7, "changed")


def test_s12_other_tenants_have_chains_of_their_own(entries, acme, globex):
    _without_guards()
    _run(HARM["changed"], entries[0].pk)
    assert verify(globex.pk).broken is None
    assert verify(acme.pk).broken is not None


def test_s12_the_command_checks_accounts_too_and_knows_no_strangers(client, alice, acme):
    client.force_login(alice)
    output = StringIO()
    call_command("verify_audit", stdout=output)
    assert "accounts: 1 links hold" in output.getvalue()
    _without_guards()
    AccountEvent.objects.update(action="account.sign_out")
    with pytest.raises(CommandError, match="accounts"):
        call_command("verify_audit", stdout=output)
    assert AccountLink.objects.count() == 1
    with pytest.raises(CommandError, match="no tenant"):
        call_command("verify_audit", "nobody")


@pytest.mark.django_db(transaction=True)
def test_s12_links_are_made_right_after_the_commit_and_a_rollback_leaves_none(scoped, alice):
    _note(0, alice)
    with transaction.atomic():
        _note(1, alice)
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            _note(2, alice)
            raise ZeroDivisionError
        _note(3, alice)
        assert Link.objects.count() == 1
    assert [link.place for link in Link.objects.all()] == [1, 2, 3]
    assert verify(scoped.pk).links == 3


def _forge_whole_chain(tenant_id):
    """Write every digest and every link of a tenant anew, as somebody can who has the database and this source."""
    previous = START
    for place, row in enumerate(Entry.objects.order_by("pk"), start=1):
        columns = {field.attname: field.value_from_object(row) for field in row._meta.concrete_fields}
        content = {name: value for name, value in columns.items() if name not in ("id", "digest")}
        content["at"] = content["at"].isoformat()
        digest = sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        previous = sha256(f"{previous}:{row.pk}:{digest}".encode()).hexdigest()
        _run("UPDATE audit_entry SET digest = %s WHERE id = %s", digest, row.pk)
        _run("UPDATE audit_link SET hash = %s WHERE place = %s AND tenant_id = %s", previous, place, tenant_id)


def test_s12_a_whole_chain_that_was_made_anew_in_the_database_is_found(entries, acme):
    _without_guards()
    _run(HARM["changed"], entries[2].pk)
    _forge_whole_chain(acme.pk)
    broken = verify(acme.pk).broken
    assert broken and broken.what == "changed"


def test_s12_a_row_is_not_taken_out_by_joining_the_links_around_it(entries, acme):
    _without_guards()
    _run(HARM["removed"], entries[4].pk)
    _run("DELETE FROM audit_link WHERE place IN (4, 5) AND tenant_id = %s", acme.pk)
    previous = Link.objects.get(place=3).hash
    forged = sha256(f"{previous}:{entries[3].pk}:{entries[3].digest}".encode()).hexdigest()
    _run("INSERT INTO audit_link (tenant_id, place, entry_id, hash) VALUES (%s, 4, %s, %s)", acme.pk, entries[3].pk, forged)
    broken = verify(acme.pk).broken
    assert broken and broken.place == 4


@pytest.fixture
def use_keys(settings):
    """Run with other keys from now on, as after a restart."""

    def use(*keys):
        settings.FIELD_ENCRYPTION_KEYS = [*keys]
        ring.cache_clear()
        _key.cache_clear()

    shipped = settings.FIELD_ENCRYPTION_KEYS
    yield use
    use(*shipped)


def test_s12_the_trail_holds_after_the_field_keys_were_turned_over(entries, acme, settings, use_keys):
    old, new = settings.FIELD_ENCRYPTION_KEYS[0], base64.b64encode(b"n" * 32).decode()
    use_keys(new, old)
    assert [progress.locked for progress in reseal()].pop() == 0
    use_keys(new)
    assert (verify(acme.pk).links, verify(acme.pk).broken) == (5, None)
    use_keys(old)
    with pytest.raises(Locked):
        verify(acme.pk)
    assert forget_locked() >= 1
    broken = verify(acme.pk).broken
    assert broken and broken.place == 1
