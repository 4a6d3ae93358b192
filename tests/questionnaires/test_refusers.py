"""R5: whoever refuses a change of a questionnaire is named. Most of them are in `tests/flows/writes.py`."""

import pytest

from portal.inbox.routes import MIRRORS
from portal.questionnaires import services
from portal.questionnaires.models import AssignableUser
from portal.questionnaires.services.bulk_runs import BULK
from portal.questionnaires.tasks import work_on_bulk_run
from portal.sync.services import drain_tenant
from tests.questionnaires.conftest import address
from tests.questionnaires.intakes import NEW
from tests.questionnaires.test_assignments import assign
from tests.support.refusers import Scene, Write, press, turn, wrongly_named

pytestmark = pytest.mark.once


def given(scene: Scene) -> None:
    """Have one question given to somebody of the platform who does not have it."""
    row = scene.desk.response
    held = (scene.desk.there(row).get("ownerAssignment") or {}).get("id")
    person = AssignableUser.objects.exclude(platform_id=held).order_by("pk")[0]
    assign(scene.client, [row], f"User:{person.platform_id}")


WRITES: dict[str, Write] = {
    "completion": press("questionnaires.complete", lambda scene: (f"{address(scene.desk.questionnaire)}complete/", {})),
    "a site": press("questionnaires.create_from_website", lambda _: (NEW, {"url": "https://portal.northwind.example/q"})),
    "an owner": turn("questionnaires.responses.set_owner", given, of=BULK, task=work_on_bulk_run),
}


def test_r5_each_refuser_of_a_change_of_a_questionnaire_is_named(client, sandbox, desk, analyst, alice_here):
    services.ask_for_owners()
    drain_tenant(MIRRORS)
    assert wrongly_named(Scene(client, sandbox, desk, alice_here), WRITES, is_whole=True) == []
