"""The platform's event log as a copy, and our own writes found in it."""

import csv
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.http import QueryDict
from django.utils import timezone

from portal.audit.models import Entry
from portal.audit.services import record
from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.event_log.filters import LogFilters
from portal.event_log.mirror import MIRRORS
from portal.event_log.models import LogEntry, WriteMatch
from portal.event_log.services import match_writes, matching
from portal.sync.models import MissedChange, Run, RunState
from portal.sync.services import drain, reconcile, start_missing
from portal.tags.models import Category
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.tags.conftest import CENTER, desk, owner, press  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db
PAGE, AUDIT = "/t/acme/settings/event-log/", "/t/acme/settings/audit/"
LATER = timedelta(minutes=5)


class Log:
    """Acme's event log at the sandbox, and the hourly reading of it."""

    def __init__(self, sandbox, tenant_id: str) -> None:
        self.sandbox, self.tenant_id = sandbox, tenant_id
        self.objects = sandbox.app.extensions["sandbox"].objects

    def there(self) -> dict[str, dict[str, Any]]:
        return {entry["id"]: entry for entry in self.sandbox.objects(self.tenant_id, "event-logs")}

    def happen(self, key: str, target: str, *, actor: str = "USER", at=None, **fields: Any) -> None:
        entry = {
            "id": key,
            "actor": {"type": actor, "id": "someone"},
            "date": (at or timezone.now()).isoformat().replace("+00:00", "Z"),
            "action": "UPDATE_TAG_CATEGORY",
            "targets": [{"type": "TAG_CATEGORY", "id": target}],
        }
        self.objects.add(self.tenant_id, "event-logs", entry | fields)

    def empty(self) -> None:
        for key in self.there():
            self.objects.remove(self.tenant_id, "event-logs", key)

    def read(self) -> Run:
        start_missing(MIRRORS)
        Run.objects.update(next_due_at=timezone.now())
        CallWindow.objects.all().delete()
        reconcile(MIRRORS, client_for(Urgency.PERSON), seconds=60)
        drain(MIRRORS, client_for(Urgency.PERSON))
        return Run.objects.get(kind="event_log_entry")

    def asked(self) -> list[str]:
        return [each["query"] for each in self.sandbox.requests("/event-logs")]


@pytest.fixture
def log(connected, scoped, sandbox, platform_tenant) -> Log:
    return Log(sandbox, platform_tenant["tenant_id"])


def switch(client, desk) -> Entry:  # noqa: F811 - the fixture is handed in
    """Switch a tag category on with the page's own button; return the audit entry of it."""
    press(client, desk.unused, CENTER)
    return Entry.objects.get(action="tag_category.on")


def test_the_last_month_is_read_first_and_only_news_afterwards(log):
    month = {key for key, entry in log.there().items() if entry["date"] > (timezone.now() - timedelta(days=30)).isoformat()}
    assert log.read().state == RunState.DONE
    assert set(LogEntry.objects.values_list("platform_id", flat=True)) == month
    row = LogEntry.objects.first()
    there = log.there()[row.platform_id]
    assert (row.action, row.actor_type, row.payload) == (there["action"], there["actor"]["type"], there)
    assert [target.platform_id for target in row.targets.all()] == [target["id"] for target in there["targets"]]
    log.happen("new", "x")
    log.happen("late", "x", at=row.at - timedelta(hours=1))
    log.read()
    assert set(LogEntry.objects.values_list("platform_id", flat=True)) == month | {"new", "late"}
    assert not MissedChange.objects.exists(), "no event tells of entries, so none was missed"


def test_odd_entries_are_kept_as_they_came_and_keep_no_other_out(log):
    log.happen("no actor", "x", actor="", targets=[])
    log.happen("new words", "ä/~", actor="AGENT_OF_TOMORROW", action="TELEPORT_" + "X" * 400)
    log.happen("no date", "x", date=None)
    log.happen("after", "x")
    log.read()
    found = {row.platform_id: row for row in LogEntry.objects.all()}
    assert {"no actor", "new words", "after"} <= found.keys()
    assert "no date" not in found
    assert (found["new words"].actor_type, len(found["new words"].action)) == ("AGENT_OF_TOMORROW", 120)


def test_s8_a_write_from_a_page_is_found_in_the_platforms_log_and_both_pages_say_so(log, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    assert b"Not checked yet" in client.get(f"{AUDIT}{entry.pk}/").content
    log.read()
    match_writes(timezone.now() + LATER)
    match = WriteMatch.objects.get(audit_entry_id=entry.pk)
    there = log.there()[match.log_entry.platform_id]
    assert there["actor"]["type"] == "APPLICATION"
    assert [target["id"] for target in there["targets"]] == [entry.target_id]
    assert match.log_entry.action in client.get(f"{AUDIT}{entry.pk}/").content.decode()
    assert f'href="{AUDIT}{entry.pk}/"' in client.get(f"{PAGE}?made_by=ours").content.decode()
    assert entry.summary in client.get(f"{AUDIT}?platform=found").content.decode()
    assert entry.summary not in client.get(f"{AUDIT}?platform=missing").content.decode()


def test_s8_a_write_that_the_log_does_not_name_is_named_in_the_audit_trail(log, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    log.empty()
    # What a user of the platform does with the same object is not ours.
    log.happen("theirs", entry.target_id, actor="USER")
    log.read()
    match_writes(timezone.now() + LATER)
    assert WriteMatch.objects.get(audit_entry_id=entry.pk).log_entry is None
    listed = client.get(f"{AUDIT}?platform=missing").content.decode()
    assert entry.summary in listed
    assert "Not in the platform&#x27;s event log" in listed
    # It comes late.
    log.happen("ours", entry.target_id, actor="APPLICATION")
    log.read()
    match_writes(timezone.now() + LATER)
    assert WriteMatch.objects.get(audit_entry_id=entry.pk).log_entry.platform_id == "ours"


def test_s8_one_entry_of_the_log_stands_for_one_write(log, desk, owner, client):  # noqa: F811
    first = switch(client, desk)
    press(client, Category.objects.get(platform_id=first.target_id), CENTER, "off")
    second = Entry.objects.get(action="tag_category.off")
    ours = [key for key, entry in log.there().items() if entry["targets"][0]["id"] == first.target_id]
    assert len(ours) == 2
    log.objects.remove(log.tenant_id, "event-logs", ours[0])
    log.read()
    match_writes(timezone.now() + LATER)
    found = WriteMatch.objects.filter(audit_entry_id__in=[first.pk, second.pk])
    assert sorted(match.log_entry is not None for match in found) == [False, True]


def test_s8_writes_that_are_never_found_keep_no_later_one_out(log, desk, owner, client, monkeypatch):  # noqa: F811
    monkeypatch.setattr(matching, "MAX_WRITES", 1)
    first = switch(client, desk)
    press(client, Category.objects.get(platform_id=first.target_id), CENTER, "off")
    second = Entry.objects.get(action="tag_category.off")
    log.empty()
    log.read()
    for _ in range(2):
        match_writes(timezone.now() + LATER)
    found = WriteMatch.objects.filter(audit_entry_id__in=[first.pk, second.pk], log_entry=None)
    assert set(found.values_list("audit_entry_id", flat=True)) == {first.pk, second.pk}
    # What comes late is still found.
    log.happen("ours", second.target_id, actor="APPLICATION")
    log.read()
    match_writes(timezone.now() + LATER)
    assert WriteMatch.objects.get(audit_entry_id=second.pk).log_entry.platform_id == "ours"


def test_only_what_a_user_of_the_platform_did_is_called_made_elsewhere(client, alice, log):
    client.force_login(alice)
    log.happen("theirs", "doc-77", actor="user", action="SHRED_DOCUMENT")
    log.happen("nobody-knows", "doc-88", actor="APPLICATION", action="SHRED_DOCUMENT")
    log.read()
    for key, words, others in (("doc-77", "Elsewhere", "Not matched<"), ("doc-88", "Not matched<", "Elsewhere")):
        shown = client.get(f"{PAGE}?q={key}").content.decode()
        assert (words in shown, others in shown) == (True, False)
    assert "Not matched to this portal" in client.get(f"{PAGE}?made_by=others").content.decode()


def test_what_the_platform_was_not_asked_to_do_is_not_looked_for(log, alice):
    record("member.join", target=("member", "x"), summary="Joined.", actor=alice)
    log.read()
    match_writes(timezone.now() + LATER)
    assert not WriteMatch.objects.exists()


def test_a_write_of_another_tenant_is_not_found_in_this_log(log, globex, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    log.read()
    with tenant_scope(globex.pk):
        match_writes(timezone.now() + LATER)
        assert not WriteMatch.objects.exists()
    assert not WriteMatch.objects.filter(audit_entry_id=entry.pk).exists()


def test_without_the_grant_the_page_says_so_and_the_trail_claims_nothing(log, desk, owner, client, sandbox):  # noqa: F811
    sandbox.fail("status", value=403, path="/v1/event-logs", times=50)
    entry = switch(client, desk)
    log.read()
    assert not LogEntry.objects.exists()
    assert b"Not checked yet" in client.get(f"{AUDIT}{entry.pk}/").content
    assert b"The platform has logged nothing" not in client.get(PAGE).content


def test_the_log_is_for_admins(client, member, log):
    client.force_login(member(Role.APPROVER))
    assert client.get(PAGE).status_code == 403
    client.force_login(member(Role.ADMIN))
    log.read()
    assert client.get(PAGE).status_code == 200


def test_filters_show_exactly_what_they_say(client, alice, log):
    client.force_login(alice)
    log.happen("theirs", "doc-77", actor="USER", action="SHRED_DOCUMENT")
    log.read()
    for query in ("q=shred", "q=doc-77", "actor=USER&q=shred"):
        shown = client.get(f"{PAGE}?{query}").content.decode()
        assert shown.count("doc-77") >= 1, query
        assert shown.count("<tr>") == 2, query
    assert b"No matching entries" in client.get(f"{PAGE}?q=nothing-of-the-kind").content
    assert b"No matching entries" in client.get(f"{PAGE}?made_by=ours").content


def test_s8_the_export_is_what_the_list_shows_and_is_written_down(client, member, log):
    client.force_login(member(Role.ADMIN))
    log.happen("theirs", "doc-77", actor="USER", action="SHRED_DOCUMENT")
    log.read()
    assert "event-log/export/" in client.get(PAGE).content.decode()
    for query in ("", "?q=shred", "?actor=USER&made_by=others", "?q=nothing-of-the-kind"):
        content = b"".join(client.post(f"{PAGE}export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(content)))
        rows = client.get(f"{PAGE}{query}").context["page"].rows
        assert [line["Id"] for line in lines][: len(rows)] == [row.platform_id for row in rows]
        assert len(lines) == LogFilters.read(QueryDict(query.removeprefix("?"))).rows().count()
        if query == "?q=shred":
            [line] = lines
            assert (line["Action"], line["Objects"], line["Made by"]) == ("Shred document", "Tag category doc-77", "Elsewhere")
    entries = Entry.objects.filter(action="event_log.export")
    assert entries.count() == 4
    assert not any("shred" in f"{entry.summary} {entry.details}" for entry in entries)
    client.force_login(member(Role.APPROVER))
    assert client.post(f"{PAGE}export/").status_code == 403


def match_of(entry: Entry) -> WriteMatch:
    return WriteMatch.objects.get(audit_entry_id=entry.pk)


def test_what_happened_long_before_or_after_a_write_is_another_one(log, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    log.empty()
    log.happen("before", entry.target_id, actor="APPLICATION", at=entry.at - timedelta(days=2))
    log.happen("after", entry.target_id, actor="APPLICATION", at=entry.at + timedelta(minutes=30))
    log.read()
    match_writes(timezone.now() + LATER)
    assert LogEntry.objects.count() == 2
    assert match_of(entry).log_entry is None


def test_of_several_entries_about_the_object_the_nearest_is_the_write(log, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    log.empty()
    for key, minutes in (("hours before", -200), ("just before", -1), ("after", 4)):
        log.happen(key, entry.target_id, actor="APPLICATION", at=entry.at + timedelta(minutes=minutes))
    log.read()
    match_writes(timezone.now() + LATER)
    assert match_of(entry).log_entry.platform_id == "just before"


def test_a_write_of_a_moment_ago_is_not_missed_in_a_log_that_cannot_have_it_yet(log, desk, owner, client):  # noqa: F811
    entry = switch(client, desk)
    log.empty()
    match_writes(entry.at + timedelta(minutes=1))
    assert not WriteMatch.objects.exists()
    match_writes(entry.at + timedelta(minutes=2))
    assert match_of(entry).log_entry is None


def test_a_write_is_not_looked_for_for_ever(log, desk, owner, client):  # noqa: F811
    switch(client, desk)
    now = timezone.now() + timedelta(days=2, seconds=1)
    with time_machine.travel(now):
        match_writes(now + LATER)
    assert not WriteMatch.objects.exists()
