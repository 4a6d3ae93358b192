"""R5: whoever refuses to take access away or to mail somebody is named. Decisions are in `tests/flows/writes.py`."""

import pytest

from portal.access_requests.models import NEVER, Viewer
from portal.access_requests.services.viewer_runs import VIEWERS
from portal.access_requests.tasks import work_on_viewer_run
from tests.access_requests.viewers import start
from tests.support.refusers import Scene, Write, turn, wrongly_named

pytestmark = pytest.mark.once


def asked(scene: Scene, verb: str) -> None:
    """Have something done with one person who has access."""
    row = Viewer.objects.present().order_by("pk")[0]
    Viewer.objects.filter(pk=row.pk).update(expires_at=None, expires_sort=NEVER)
    start(scene.member, verb, [row])


WRITES: dict[str, Write] = {
    "end of access": turn(
        "trust_center.viewers.delete", lambda scene: asked(scene, "revoke"), of=VIEWERS, task=work_on_viewer_run
    ),
    "an invitation": turn(
        "trust_center.viewers.send_invite_reminder",
        lambda scene: asked(scene, "remind"),
        of=VIEWERS,
        task=work_on_viewer_run,
    ),
}


def test_r5_each_refuser_of_a_change_of_access_is_named(client, sandbox, desk, owner):
    assert wrongly_named(Scene(client, sandbox, desk, owner), WRITES, is_whole=True) == []
