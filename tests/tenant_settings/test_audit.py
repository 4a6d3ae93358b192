"""The page of the audit trail: over all desks, for admins, with filters, saved views, an export and the entry itself."""

import re
from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.db import connection

from portal.audit import chain, guards
from portal.audit.chain import seal
from portal.audit.chain_checks import check_chain
from portal.audit.models import Entry, Source
from portal.audit.services import record
from portal.saved_views.models import SavedView
from portal.tenant_settings.filters import DESKS
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.trust_center import kinds as trust_center
from portal.trust_center.services.entries import FRAMEWORKS, SUBPROCESSORS
from tests.house.test_source import PORTAL
from tests.support.members import find_member

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/settings/audit/"
CONSTANT = re.compile(r"(?:target|TARGET) ?= ?\(([A-Z_]+),")
KIND = re.compile(r"""(?:target|TARGET) ?= ?\("([a-z_]+)",|return "([a-z_]+)", \w+\.\w+|kind="([a-z]+_(?:run|import))",""")


@pytest.fixture
def entries(acme, globex, alice, mallory):
    with tenant_scope(globex.pk):
        record("thing.do", target=("thing", "1"), summary="Globex did a thing.", actor=mallory)
    with tenant_scope(acme.pk):
        record("contract.change", target=("contract", "c-1"), summary="Alice did a thing.", actor=alice)
        record("access_request.approve", target=("access_request", "r-1"), summary="A rule did.", source=Source.RULE)
        return record("thing.undo", target=("thing", "2"), summary="Nobody did another.")


def shown(client, query: str = "") -> list[str]:
    return [entry.summary for entry in client.get(PAGE + query).context["page"].rows]


@pytest.mark.parametrize(
    ("query", "summaries"),
    [
        ("", ["Nobody did another.", "A rule did.", "Alice did a thing."]),
        ("?q=another", ["Nobody did another."]),
        ("?q=contract.ch", ["Alice did a thing."]),
        ("?q=R-1", ["A rule did."]),
        ("?person=Alice+Ames", ["Alice did a thing."]),
        ("?source=rule", ["A rule did."]),
        ("?desk=contracts", ["Alice did a thing."]),
        ("?desk=other", ["Nobody did another."]),
        ("?object=contract:c-1", ["Alice did a thing."]),
        ("?object=contract:r-1", []),
        ("?since=9999-12-31", []),
        ("?until=9999-12-31&since=0001-01-01", ["Nobody did another.", "A rule did.", "Alice did a thing."]),
        ("?since=nonsense&desk=nonsense&source=x", ["Nobody did another.", "A rule did.", "Alice did a thing."]),
    ],
)
def test_the_page_filters_and_hides_other_tenants(client, alice, entries, query, summaries):
    client.force_login(alice)
    assert shown(client, query) == summaries


def test_only_admins_and_owners_read_it(client, alice, member, entries):
    for role in Role:
        client.force_login(alice if role == Role.OWNER else member(role))
        answers = {client.get(PAGE).status_code, client.get(f"{PAGE}{entries.pk}/").status_code}
        assert answers == ({200} if role >= Role.ADMIN else {403})


def test_a_day_is_one_of_the_readers_zone(client, alice, acme):
    with tenant_scope(acme.pk):
        for at in (datetime(2026, 3, 1, 4, 59, tzinfo=UTC), datetime(2026, 3, 1, 5, 0, tzinfo=UTC)):
            Entry.objects.create(
                at=at, source="system", action="a.b", target_kind="thing", target_id="1", summary=f"{at:%H:%M}"
            )
    alice.timezone = "America/New_York"
    alice.save()
    client.force_login(alice)
    assert shown(client, "?since=2026-03-01") == ["05:00"]
    assert shown(client, "?until=2026-02-28") == ["04:59"]
    assert b"2026-03-01 00:00:00 EST" in client.get(PAGE).content
    text = b"".join(client.post(f"{PAGE}export/?until=2026-02-28").streaming_content).decode()
    assert "04:59" in text
    assert "05:00" not in text


def test_what_was_changed_stands_in_the_row_and_on_the_page_of_the_entry(client, alice, bob, acme):
    client.force_login(alice)
    bobs = find_member(user=bob)
    client.post(f"/t/acme/settings/members/{bobs.pk}/role/", {"role": Role.ADMIN})
    page = client.get(PAGE).content.decode()
    assert "Role: Viewer → Admin" in page
    with tenant_scope(acme.pk):
        entry = Entry.objects.get(action="member.change_role")
        seal(acme.pk, [entry.pk])
    assert f"{PAGE}{entry.pk}/" in page
    detail = client.get(f"{PAGE}{entry.pk}/").content.decode()
    assert re.search(r"<td><span>Role</span></td>\s*<td><span[^>]*>Viewer</span></td>\s*<td><span[^>]*>Admin<", detail)
    assert "Alice Ames" in detail
    assert f"object=member%3A{bob.email.replace('@', '%40')}" in detail
    assert re.search(r"<dt>Place in the chain</dt><dd>\d+</dd>", detail)


def test_an_entry_of_another_tenant_is_not_there(client, alice, entries, globex):
    with tenant_scope(globex.pk):
        theirs = Entry.objects.get()
    client.force_login(alice)
    assert client.get(f"{PAGE}{theirs.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("details", "lines"),
    [
        ({"before": "OPEN", "after": "DONE"}, ["OPEN → DONE"]),
        ({"before": {"a": 1, "of_all": True}, "after": {"a": 1, "of_all": None}}, ["Of all: yes → none"]),
        ({"before": None, "after": "2026-03-01T05:00:00+00:00"}, ["none → 2026-03-01 06:00 CET"]),
        ({"parts": [{"part": "p1", "before": "No", "after": "Yes"}, {"part": "p2"}]}, ["No → Yes"]),
        ({"before": {}, "after": {"days": ["Monday", "Friday"]}}, ["Days: none → Monday, Friday"]),
        ({"before": 1, "after": 1}, []),
        ({"parts": "odd", "before": {}}, []),
    ],
)
def test_each_shape_of_details_is_said_in_words(client, alice, acme, details, lines):
    alice.timezone = "Europe/Berlin"
    alice.save()
    with tenant_scope(acme.pk):
        entry = record("thing.do", target=("thing", "1"), summary="Did.", actor=alice, details=details)
    client.force_login(alice)
    [(_, _, changes, _)] = client.get(PAGE).context["rows"]
    assert [str(change) for change in changes] == lines
    assert client.get(f"{PAGE}{entry.pk}/").status_code == 200


def test_s8_nobody_is_taken_for_another_by_their_name(client, alice, bob, acme):
    with tenant_scope(acme.pk):
        bob.name = alice.name
        entry = record("thing.do", target=("thing", "1"), summary="Done.", actor=bob)
    client.force_login(alice)
    assert f"Alice Ames · {bob.email}" in client.get(f"{PAGE}{entry.pk}/").content.decode()


def test_s8_an_export_is_exactly_the_filtered_rows_and_in_the_trail(client, alice, acme, entries):
    with tenant_scope(acme.pk):
        details = {"before": "=1+1", "after": "x"}
        record("thing.do", target=("thing", "1"), summary="=1+1", actor=alice, details=details)
    client.force_login(alice)
    page = client.get(f"{PAGE}?person=Alice+Ames").content.decode()
    assert f'action="{PAGE}export/?person=Alice+Ames"' in page
    text = b"".join(client.post(f"{PAGE}export/?person=Alice+Ames").streaming_content).decode()
    assert "'=1+1" in text
    assert "Alice did a thing." in text
    assert "Alice Ames,alice@acme.example,Person" in text
    assert "Nobody did another." not in text
    with tenant_scope(acme.pk):
        entry = Entry.objects.get(action="audit.export")
    assert (entry.actor, entry.details) == (alice, {"is_filtered": True})


def test_a_view_of_the_trail_is_shown_to_whoever_may_open_it(client, alice, bob, acme, entries):
    client.force_login(alice)
    client.post("/t/acme/views/of/audit/?desk=members", {"name": "Who comes and goes", "is_shared": "on"})
    assert b"Who comes and goes" in client.get("/t/acme/views/").content
    with tenant_scope(acme.pk):
        assert SavedView.objects.get().query == "desk=members"
    client.force_login(bob)
    assert b"Who comes and goes" not in client.get("/t/acme/views/").content


def test_r3_the_page_says_when_the_chain_was_checked_and_what_was_found(client, alice, acme, entries):
    client.force_login(alice)
    assert b"Not checked yet" in client.get(PAGE).content
    check_chain(acme.pk)
    assert b"3 entries, none changed or removed" in client.get(PAGE).content
    with tenant_scope(acme.pk), connection.cursor() as cursor:
        for statement in guards.removals(connection.vendor):
            cursor.execute(statement)
        cursor.execute("UPDATE audit_entry SET summary = 'nothing' WHERE id = %s", [entries.pk])
    check_chain(acme.pk)
    page = client.get(PAGE).content.decode()
    assert "The audit trail was altered" in page
    assert f"Link 3: entry {entries.pk} was changed." in page


def test_r3_the_page_says_what_was_checked_when(client, alice, acme, entries, monkeypatch):
    client.force_login(alice)
    monkeypatch.setattr(chain, "BATCH", 2)
    check_chain(acme.pk, seconds=-1)
    page = client.get(PAGE).content.decode()
    assert "Check in progress: 2 entries so far" in page
    assert "were checked" not in page
    check_chain(acme.pk)
    page = client.get(PAGE).content.decode()
    assert "Check in progress" not in page
    assert "3 entries, none changed or removed. New entries were checked" in page
    assert "older ones within the 30 days before" in page


def test_what_was_published_is_found_under_its_desk(client, alice, acme):
    with tenant_scope(acme.pk):
        for kind in (trust_center.UPDATE, trust_center.PUBLICATION, trust_center.SUBPROCESSOR, trust_center.SUBSCRIBER_GROUP):
            record(f"{kind}.change", target=(kind, "1"), summary=kind)
    client.force_login(alice)
    assert len(shown(client, "?desk=content")) == 4
    assert "update" not in shown(client, "?desk=other")


def named_kinds(path):
    """The kinds that a file records by the name of a constant."""
    names = CONSTANT.findall(path.read_text())
    module = import_module(".".join(path.relative_to(PORTAL.parent).with_suffix("").parts)) if names else None
    return {getattr(module, name) for name in names}


def test_every_kind_of_object_belongs_to_a_desk():
    sources = [path for path in PORTAL.rglob("*.py") if not {"sandbox", "platform_api"} & set(path.parts)]
    kinds = {next(filter(None, found)) for path in sources for found in KIND.findall(path.read_text())}
    kinds = kinds.union(*map(named_kinds, sources), (each.kind for each in (SUBPROCESSORS, FRAMEWORKS)))
    assert {"member", "bulk_run", "questionnaire", "access_rules"} <= kinds
    beginnings = tuple(beginning for _, each in DESKS.values() for beginning in each)
    assert [kind for kind in sorted(kinds) if not kind.startswith(beginnings)] == []
