"""W1, Q4: in whatever order, however often the answer, the events and the looks come, an export ends as the platform says."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from portal.audit.models import Entry
from portal.platform_api import models as remote
from portal.platform_api.errors import NotFound
from portal.platform_api.webhooks import ExportCompleted, ExportFailed
from portal.questionnaires.models import Export, ExportState
from portal.questionnaires.services import export_verification
from portal.questionnaires.services.export_outcomes import accept, give_up, mark_uncertain
from portal.questionnaires.services.exports import begin
from tests.questionnaires.exports import handle, work
from tests.support.members import find_member

FAILED = "questionnaire.export_failed"
AT = "2026-01-04T12:01:00.000Z"
ENDS = {
    "completed": {"status": "completed", "completedAt": AT},
    "failed": {"status": "failed", "failedAt": AT, "errorMessage": "Nothing to export"},
}
STEPS = ("answer", "lost answer", "completed event", "failed event", "look before the end", "look", "too long")
OF_THE_ROW = ("platform_id", "format", "state", "is_confirmed", "is_elsewhere", "reason", "due_at", "asked_by_name")


class Story:
    """One request and what the platform makes of it."""

    def __init__(self, desk, alice, monkeypatch) -> None:
        self.row, self.member = desk.questionnaire, find_member(user=alice)
        self.end = "completed"
        self.has_ended = False
        real = export_verification.client_for

        def client(*args, **options):
            platform = real(*args, **options)
            platform.questionnaires.exports.get = self.get
            return platform

        monkeypatch.setattr(export_verification, "client_for", client)

    def begin(self) -> None:
        self.told_before = Entry.objects.filter(action=FAILED).count()
        Export.objects.all().delete()
        self.export, _ = begin(self.row, member=self.member, export_format="csv")
        requested_at = self.export.asked_at + timedelta(seconds=1)
        self.pending = {"id": "e1", "status": "pending", "format": "csv", "requestedAt": requested_at.isoformat()}
        ids = {"questionnaire_id": self.row.platform_id, "export_id": "e1"}
        self.told = ids | {"format": "csv", "requested_at": requested_at}

    def get(self, export_id: str) -> remote.Export:
        if export_id != "e1":
            raise NotFound("GET", "/exports/{}", status=404)
        return remote.Export.read(self.pending | (ENDS[self.end] if self.has_ended else {}))

    def do(self, step: str) -> None:
        match step:
            case "answer":
                accept(self.export, remote.Export.read(self.pending))
            case "lost answer":
                mark_uncertain(self.export)
            case "completed event":
                handle(ExportCompleted(**self.told))
            case "failed event":
                handle(ExportFailed(**self.told, reason="As the event has it."))
            case "look before the end" | "look":
                self.has_ended = step == "look"
                work()
            case "too long":
                give_up(self.export)

    def rows(self) -> list[dict]:
        return list(Export.objects.values(*OF_THE_ROW))


@pytest.fixture
def story(desk, alice, monkeypatch):
    return Story(desk, alice, monkeypatch)


@given(
    steps=st.lists(st.sampled_from(STEPS), max_size=10),
    is_lost=st.booleans(),
    end=st.sampled_from(sorted(ENDS)),
    last=st.sampled_from(("completed event", "failed event")),
)
@example(steps=["completed event", "failed event"], is_lost=False, end="completed", last="completed event")
@example(steps=["failed event", "look", "lost answer"], is_lost=True, end="failed", last="completed event")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_w1_whatever_comes_in_whatever_order_it_ends_as_the_platform_says(story, steps, is_lost, end, last):
    story.end, story.has_ended = end, False
    story.begin()
    # An answer arrives or is lost, not both; each may be repeated by a worker that was slow.
    fate, other = ("lost answer", "answer") if is_lost else ("answer", "lost answer")
    for step in steps:
        story.do(fate if step == other else step)
    story.do(fate)
    if is_lost:
        story.do(last)  # without any event nobody could know
    story.has_ended = True
    work()
    is_failed = end == "failed"
    assert story.rows() == [
        {
            "platform_id": "e1",
            "format": "csv",
            "state": ExportState.FAILED if is_failed else ExportState.COMPLETED,
            "is_confirmed": True,
            "is_elsewhere": False,
            "reason": "Nothing to export" if is_failed else "",
            "due_at": None,
            "asked_by_name": "Alice Ames",
        }
    ]
    assert Entry.objects.filter(action=FAILED).count() - story.told_before == (1 if is_failed else 0)
