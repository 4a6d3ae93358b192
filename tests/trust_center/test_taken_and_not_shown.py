"""W1 on the Trust Center's desk: what the platform has accepted counts as done once it shows it, whichever change it is."""

import pytest

from portal.audit.models import Entry
from portal.sandbox.objects import Objects
from portal.sandbox.store import Store
from portal.sync.models import StaleMark
from portal.trust_center.models import Control, ControlCategory
from tests.support.refusers import UNCERTAIN, Scene, words
from tests.trust_center.test_refusers import WRITES, at

CHANGES = (
    *("settings", "change of a document", "place of a control", "name of a category", "order of categories"),
    *("change of a question", "name of a category of questions", "change of a subprocessor", "change of a framework"),
    *("change of an update", "groups of a subscriber", "name of a group"),
)


@pytest.fixture
def scene(client, sandbox, desk, owner) -> Scene:
    return Scene(client, sandbox, desk, owner)


@pytest.fixture
def forgetful(monkeypatch):
    """Have the platform accept every change, and go on showing what was there before."""

    def begin() -> None:
        monkeypatch.setattr(Objects, "save", lambda objects, tenant_id, kind, body: body)
        monkeypatch.setattr(Store, "set_setting", lambda *_: None)

    return begin


def says_unconfirmed(page: str) -> bool:
    return any(sentence in page for sentence in UNCERTAIN)


@pytest.mark.parametrize("name", CHANGES)
def test_w1_a_change_that_is_accepted_and_not_shown_yet_counts_as_not_confirmed(scene, forgetful, name):
    press = WRITES[name].prepare(scene)
    written = Entry.objects.count()
    forgetful()
    assert says_unconfirmed(press())
    assert Entry.objects.count() == written, "nothing is written down as done"
    assert StaleMark.objects.filter(urgent=True).exists(), "what came of it is looked up"


def test_w1_a_control_that_is_not_shown_in_its_new_category_yet_counts_as_not_confirmed(scene, forgetful):
    control, (first, second) = Control.objects.not_shown()[0], ControlCategory.objects.present()[:2]
    address = at("show_control", control)
    scene.desk.objects.add(
        scene.desk.tenant_id,
        "trust-center-controls",
        {"id": control.platform_id, "name": control.name, "description": "", "categories": [first.payload]},
    )
    forgetful()
    assert says_unconfirmed(words(scene.client.post(address, {"categories": [second.platform_id]}, follow=True)))
    assert not Entry.objects.filter(action="shown_control.show").exists()
    assert StaleMark.objects.filter(object_id=control.platform_id, urgent=True).exists()
