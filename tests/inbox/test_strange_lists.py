"""Q14, Q15, Q16 on every kind that a desk mirrors: items that cannot be read, a 404 that passes, cursors that lead round."""

import itertools
from typing import Any

import pytest
from django.utils.html import escape

from portal.platform_api.models.remote import MAX_OBJECT_BYTES
from portal.sync import selectors
from portal.sync.models import RunState, StaleMark
from portal.sync.services import Result
from tests.inbox.test_every_mirror import MODELS, PAGED, Json, Kept, kept
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.once

__all__ = ["kept"]

HTML = b"<!doctype html><title>Bad gateway</title><h1>404 Not Found</h1>"
BROKEN = {
    # Of a risk scenario its other id would stand in.
    "without its id": lambda one: {name: value for name, value in one.items() if name not in ("id", "riskId")},
    "of another type": lambda one: "gone fishing",
    "5 MB large": lambda one: one | {"junk": "x" * 5 * MAX_OBJECT_BYTES},
}
ONE_OF_EACH_LIST = [kind for kind in MODELS if kind != "responses"]


def is_it(kept: Kept, one: dict[str, Any]) -> bool:
    """Say whether the platform shows the object that is kept; a risk scenario has its own id alone."""
    return kept.object_id in (one.get("id"), one.get("riskId"))


def break_one(kept: Kept, how: Any) -> None:
    """Let the lists show one object as it cannot be read."""

    def change(answer: Any) -> Any:
        results = answer.get("results", answer) if isinstance(answer, dict) else answer
        found = results.get("data") if isinstance(results, dict) else results
        if isinstance(found, list):
            found[:] = [how(one) if is_it(kept, one) else one for one in found]
        elif isinstance(answer, dict) and is_it(kept, answer) and how is BROKEN["5 MB large"]:
            return how(answer)
        return answer

    kept.tampering.change = change


@pytest.mark.parametrize("kept", ONE_OF_EACH_LIST, indirect=True)
@pytest.mark.parametrize("how", BROKEN)
def test_q14_an_item_that_cannot_be_read_is_named_and_keeps_out_no_other(kept, how, client, alice):
    others = kept.model.objects.exclude(pk=kept.row.pk)
    others.update(payload={})
    break_one(kept, BROKEN[how])
    run = kept.compare()
    assert (run.state, run.gone) == (RunState.DONE, 0)
    assert kept.now().gone_at is None
    # All the others were stored anew, those on the pages behind it too.
    assert not others.filter(payload={}).exists()
    found = selectors.unreadable([kept.kind])
    assert found.count == 1
    if how == "5 MB large":
        assert [(each.object_id, "1 MB" in each.problem) for each in found.named] == [(kept.object_id, True)]
        assert kept.fetch() == Result.UNREADABLE
    client.force_login(alice)
    shown = [client.get(f"/t/acme/{page}").content.decode() for page in kept.pages()]
    # On the lists that show it, and on the page of the connection.
    callouts = [
        page.partition('data-unreadable="1"')[2].partition("</ul>")[0] for page in shown if 'data-unreadable="1"' in page
    ]
    assert callouts
    for callout in callouts if found.named else ():
        # By its name, never by its id.
        assert escape(str(kept.row)) in callout
        assert kept.object_id not in callout
    assert any("1 could not be read" in page for page in shown)
    kept.tampering.change = lambda answer: answer
    kept.compare()
    kept.fetch()
    assert selectors.unreadable([kept.kind]).count == 0


@pytest.mark.parametrize("kept", ["responses"], indirect=True)
def test_q14_one_answer_that_cannot_be_read_takes_no_other_with_it(kept):
    (first, *rest) = kept.model.objects.filter(questionnaire__platform_id=kept.object_id)

    def change(answer: Any) -> Any:
        for number, one in enumerate(answer["results"]["data"]):
            if one["id"] == first.platform_id:
                answer["results"]["data"][number] = one | {"junk": "x" * 2 * MAX_OBJECT_BYTES}
            else:
                one["brandNew"] = True
        return answer

    kept.tampering.change = change
    assert kept.fetch() == Result.CHANGED
    assert {type(row).objects.get(pk=row.pk).payload.get("brandNew") for row in rest} == {True}
    assert type(first).objects.get(pk=first.pk).gone_at is None
    (named,) = selectors.unreadable(["responses"]).named
    assert first.platform_id in named.problem


@pytest.mark.parametrize("body", [HTML, b"", b"not found", b"{}"], ids=repr)
def test_q15_a_404_that_is_not_the_platforms_own_locks_nothing(kept, body):
    kept.tampering.refusal = (404, body)
    assert kept.fetch() == Result.WAITING
    two_minutes_pass()
    StaleMark.objects.update(due_at="2020-01-01T00:00Z")
    assert kept.fetch() == Result.WAITING
    if kept.mirror.page:
        assert kept.compare().state == RunState.FAILED
    assert kept.now().gone_at is None
    kept.tampering.refusal = None
    assert kept.fetch() in (Result.UNCHANGED, Result.CHANGED)
    assert kept.now().gone_at is None


def test_q15_a_404_of_the_platform_that_passes_locks_nothing(kept):
    kept.tampering.refusal = (404, b'{"message": "Document with id: x not found"}')
    assert kept.fetch() == Result.WAITING
    assert kept.now().gone_at is None
    kept.tampering.refusal = None
    two_minutes_pass()
    assert kept.fetch() in (Result.UNCHANGED, Result.CHANGED)
    assert kept.now().gone_at is None


CIRCLES = {"A -> B -> A": lambda: itertools.cycle("AB"), "ever new": lambda: map("C{}".format, itertools.count())}


@pytest.mark.parametrize("kept", PAGED, indirect=True)
@pytest.mark.parametrize("circle", CIRCLES)
def test_q16_cursors_that_lead_round_end_the_walk_within_ten_calls(kept, circle, client, alice):
    cursors = CIRCLES[circle]()

    def lead_round(answer: Any) -> Any:
        results: Json = answer.get("results", {}) if isinstance(answer, dict) else {}
        if isinstance(results, dict) and "pageInfo" in results:
            cursor = next(cursors)
            kept.tampering.own_cursors.add(cursor)
            results["pageInfo"] = {"hasNextPage": True, "endCursor": cursor}
        return answer

    kept.tampering.change, kept.tampering.asked = lead_round, 0
    run = kept.compare()
    assert kept.tampering.asked <= 10
    assert (run.state, "does not end" in run.error) == (RunState.FAILED, True)
    assert not kept.model.objects.exclude(gone_at=None).exists()
    client.force_login(alice)
    assert "does not end" in client.get("/t/acme/settings/connection/").content.decode()
