"""R5 on the desk of people and groups: whoever refuses a change is named, whichever change it is."""

import pytest

from portal.people.models import IdpGroup
from portal.people.services.group_runs import GROUPS
from portal.people.tasks import work_on_group_run
from tests.people.test_groups import IMPORT, NEW, change, outside_and_inside, team
from tests.support.refusers import Scene, Write, press, turn, wrongly_named

pytestmark = pytest.mark.once


def asked(scene: Scene, verb: str) -> None:
    """Have one person put into a group, or taken out."""
    outside, inside = outside_and_inside(team())
    change(scene.client, verb, team(), (outside if verb == "add" else inside)[:1])


WRITES: dict[str, Write] = {
    "a group": press("groups.create", lambda _: (NEW, {"name": "Auditors"})),
    "an import": press("groups.import_from_idp", lambda _: (IMPORT, {"chosen": [IdpGroup.objects.present()[0].pk]})),
    "somebody more": turn("groups.people.add", lambda scene: asked(scene, "add"), of=GROUPS, task=work_on_group_run),
    "somebody less": turn("groups.people.remove", lambda scene: asked(scene, "remove"), of=GROUPS, task=work_on_group_run),
}


@pytest.fixture
def scene(client, sandbox, desk, owner) -> Scene:
    return Scene(client, sandbox, desk, owner)


def test_r5_whoever_refuses_a_change_of_groups_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_each_change_of_groups_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
