"""S12: an end that was cut off is found in the database alone, and an old database by what was printed before."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from portal.audit.chain import lost_links, seal, verify
from portal.audit.chain_checks import check_chain
from portal.audit.models import AccountHead, AccountLink, ChainHead, Link
from portal.tenants.scope import all_tenants, tenant_scope
from portal.tenants.services import create_tenant
from tests.audit.test_chain import _note, _run, _without_guards, entries

pytestmark = pytest.mark.django_db
__all__ = ["entries"]


def _cut(first_place, tenant_id):
    """Remove the newest rows with their links, and what the last check has found."""
    _run("DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_link WHERE place >= %s)", first_place)
    _run("DELETE FROM audit_link WHERE place >= %s AND tenant_id = %s", first_place, tenant_id)
    _run("DELETE FROM audit_chaincheck")


def _cut_and_forget_the_end(tenant_id):
    _cut(4, tenant_id)
    _run("DELETE FROM audit_chainhead WHERE tenant_id = %s", tenant_id)


def _cut_and_name_another_end(tenant_id):
    _cut(4, tenant_id)
    last = Link.objects.get(place=3).hash
    _run("UPDATE audit_chainhead SET links = 3, hash = %s WHERE tenant_id = %s", last, tenant_id)


def _cut_all_and_take_the_end_of_an_empty_chain(tenant_id):
    _cut(1, tenant_id)
    columns = "links = e.links, hash = e.hash, digest = e.digest"
    _run(
        f"UPDATE audit_chainhead SET {columns} FROM audit_chainhead AS e "  # noqa: S608
        "WHERE audit_chainhead.tenant_id = %s AND e.tenant_id <> %s",
        tenant_id,
        tenant_id,
    )


HARM: dict[str, Callable[[int], None]] = {
    "the end alone": lambda tenant_id: _cut(4, tenant_id),
    "everything": lambda tenant_id: _cut(1, tenant_id),
    "without a head": _cut_and_forget_the_end,
    "a forged head": _cut_and_name_another_end,
    "the head of a new tenant": _cut_all_and_take_the_end_of_an_empty_chain,
}


def test_s12_an_end_that_was_cut_off_with_the_record_of_the_last_check_is_found(entries, acme, alice):
    create_tenant("Third", owner=alice)
    _without_guards()
    for what, harm in HARM.items():
        with transaction.atomic():
            check_chain(acme.pk)
            with all_tenants("whoever owns the database"):
                harm(acme.pk)
            broken = verify(acme.pk).broken
            assert broken, what
            assert broken.what.startswith("cut off")
            seal(acme.pk, [_note(number, alice).pk for number in range(7)])
            assert verify(acme.pk).broken, f"{what}: what is written afterwards makes it no whole chain"
            transaction.set_rollback(True)
        assert verify(acme.pk).broken is None


def test_s12_a_tenant_that_never_did_anything_holds_however_often_it_is_checked(globex):
    assert [check_chain(globex.pk).fault for _ in range(2)] == ["", ""]


def test_s12_the_chain_of_the_accounts_has_its_end_too(client, alice, mallory):
    for user in (alice, mallory):
        client.force_login(user)
    verify(None)
    assert AccountHead.objects.get().links == 2
    _without_guards()
    last = AccountLink.objects.order_by("-place").first()
    _run("DELETE FROM audit_accountlink WHERE id = %s", last.pk)
    _run("DELETE FROM audit_accountevent WHERE id = %s", last.entry_id)
    broken = verify(None).broken
    assert broken and broken.place == 2


def test_s12_a_whole_database_of_before_is_told_by_what_was_printed_since(entries, acme, alice, tmp_path):
    """Also its head is an old one, so it looks whole."""
    with tenant_scope(acme.pk):
        before = ChainHead.objects.get()
    seal(acme.pk, [_note(number, alice).pk for number in range(7, 9)])
    kept, output = tmp_path / "ends", StringIO()
    call_command("verify_audit", stdout=output)
    kept.write_text(output.getvalue() + "gone-since: 3 links hold, the last is " + "1" * 64 + "\n")
    call_command("verify_audit", since=str(kept), stdout=(again := StringIO()))
    assert "gone-since: there is no such tenant any more" in again.getvalue()
    _without_guards()
    _cut(6, acme.pk)
    _run(
        "UPDATE audit_chainhead SET links = 5, hash = %s, digest = %s WHERE tenant_id = %s", before.hash, before.digest, acme.pk
    )
    assert verify(acme.pk).broken is None
    with pytest.raises(CommandError, match="acme"):
        call_command("verify_audit", acme.slug, since=str(kept), stdout=output)
    assert "acme: link 7 is broken: it was cut off" in output.getvalue()
    assert lost_links(acme.pk, [(5, before.hash), (6, "0" * 64)]) == [6]
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify_audit", since=str(tmp_path / "nothing"))
