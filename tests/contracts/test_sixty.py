"""The judged case: sixty contracts through a platform that limits, loses answers after its work, and restarts."""

from collections import Counter
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from portal.contracts.models import OPEN, Contract, Upload, UploadState
from portal.contracts.services import uploads
from portal.sandbox.limits import DEFAULTS
from tests.contracts.conftest import CALL, PAGE, PDF, Desk, work
from tests.support.clocks import Clocks, clocks

SIXTY = 60
LOOKS = 15
"""Seconds between two turns of the sweep."""
LONGEST = 60 * 60 // LOOKS


class Killed(BaseException):
    """The worker died here, and with it everything that it had not written down."""


@pytest.fixture
def time_by_hand(desk: Desk) -> Iterator[Clocks]:
    with clocks(desk.sandbox.app.extensions["sandbox"].clock) as made:
        yield made


@pytest.fixture
def limited(desk: Desk) -> None:
    """Every bucket as the specification has it."""
    desk.sandbox.control("POST", "/limits", **DEFAULTS)


def drop(desk: Desk, fault: str, times: int, **more: object) -> None:
    desk.sandbox.fail(fault, method="POST", path=CALL, times=times, **more)


def restart(desk: Desk) -> None:
    """The platform comes up again: what it counted in memory is gone, what it stored is there."""
    desk.sandbox.app.extensions["sandbox"].limits.forget()


def test_w1_w5_sixty_contracts_are_there_and_here_and_none_twice(desk, analyst, limited, time_by_hand, monkeypatch):
    before = len(desk.there())
    files = [SimpleUploadedFile(f"Contract {number:02}.pdf", PDF) for number in range(SIXTY)]
    assert analyst.post(f"{PAGE}upload/", {"folder": files}).status_code == 302
    create, killed = uploads._create, []

    def dies_after_the_call(upload, client):
        made = create(upload, client)
        if len(killed) < 3 and upload.external_id.endswith("7"):
            killed.append(upload.external_id)
            raise Killed
        return made

    monkeypatch.setattr(uploads, "_create", dies_after_the_call)
    troubles = {
        2: lambda: drop(desk, "drop_answer", 3),
        9: lambda: drop(desk, "status", 2, value=500),
        14: lambda: drop(desk, "status_after_work", 2, value=502),
        20: lambda: drop(desk, "refuse_connection", 4),
        26: lambda: drop(desk, "html", 1),
        30: lambda: desk.sandbox.fail("status", method="POST", path=CALL, times=2, value=429),
        33: lambda: drop(desk, "drop_answer", 4),
        40: lambda: desk.sandbox.fail("drop_answer", method="GET", path="/v1/contracts", times=2),
    }
    for turn in range(LONGEST):
        if turn in troubles:
            troubles[turn]()
        try:
            work()
        except Killed:
            work()
        # The same folder once more, by somebody who does not trust the queue.
        if turn == 12:
            again = [SimpleUploadedFile(f"Contract {number:02}.pdf", PDF) for number in range(SIXTY)]
            analyst.post(f"{PAGE}upload/", {"folder": again})
        if not Upload.objects.filter(state__in=OPEN).exists():
            break
        time_by_hand.pass_time(LOOKS)
    assert killed
    ids = Counter(each["externalId"] for each in desk.there() if (each["externalId"] or "").startswith("Contract "))
    assert ids == {f"Contract {number:02}": 1 for number in range(SIXTY)}
    assert len(desk.there()) == before + SIXTY
    here = Contract.objects.present().filter(external_id__startswith="Contract ")
    assert sorted(here.values_list("external_id", flat=True)) == sorted(ids)
    assert Counter(Upload.objects.values_list("state", flat=True)) == {UploadState.DONE: SIXTY}
    # No bucket was exceeded as the platform counts: the only refusals are those that the test made itself.
    refused = [each for each in desk.sandbox.requests() if each["status"] == 429]
    assert len(refused) <= 2


def test_w5_a_platform_that_comes_up_again_is_not_flooded(desk, analyst, limited, time_by_hand):
    files = [SimpleUploadedFile(f"Contract {number:02}.pdf", PDF) for number in range(25)]
    analyst.post(f"{PAGE}upload/", {"file": files})
    minutes = []
    for _ in range(4):
        work()
        restart(desk)
        work()
        minutes.append(desk.calls())
        time_by_hand.pass_time(75)
    assert minutes == [10, 20, 25, 25]
