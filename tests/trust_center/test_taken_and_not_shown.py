"""W1 on the Trust Center's desk: what the platform has accepted counts as done once it shows it, whichever change it is."""

import pytest

from portal.audit.models import Entry
from portal.sync.models import StaleMark
from portal.trust_center.models import Control, ControlCategory, FaqCategory, SubscriberGroup
from tests.support.contrary_writes import show_no_change
from tests.support.refusers import UNCERTAIN, words
from tests.trust_center.test_refusers import WRITES, at

CHANGES = (
    *("settings", "change of a document", "place of a control", "name of a category", "order of categories"),
    *("change of a question", "name of a category of questions", "change of a subprocessor", "change of a framework"),
    *("change of an update", "groups of a subscriber", "name of a group"),
)


def says_unconfirmed(page: str) -> bool:
    return any(sentence in page for sentence in UNCERTAIN)


@pytest.mark.parametrize("name", CHANGES)
def test_w1_a_change_that_is_accepted_and_not_shown_yet_counts_as_not_confirmed(scene, monkeypatch, name):
    press = WRITES[name].prepare(scene)
    written = Entry.objects.count()
    StaleMark.objects.all().delete()
    show_no_change(monkeypatch)
    assert says_unconfirmed(press())
    assert Entry.objects.count() == written, "nothing is written down as done"
    assert StaleMark.objects.filter(urgent=True).exists(), "what came of it is looked up"


@pytest.mark.parametrize(
    ("name", "model", "kind"),
    [
        ("name of a category", ControlCategory, "control-categories"),
        ("name of a category of questions", FaqCategory, "faq-categories"),
        ("name of a group", SubscriberGroup, "subscriber-groups"),
    ],
)
def test_w1_a_name_longer_than_our_column_that_is_still_shown_counts_as_not_confirmed(scene, monkeypatch, name, model, kind):
    objects, tenant_id = scene.desk.objects, scene.desk.tenant_id
    for found in objects.all(tenant_id, kind):
        long = found | {"name": found["name"] + "x" * 400}
        objects.save(tenant_id, kind, long)
        model.objects.filter(platform_id=found["id"]).update(name=long["name"][:300], payload=long)
    press = WRITES[name].prepare(scene)
    show_no_change(monkeypatch)
    assert says_unconfirmed(press())
    assert not Entry.objects.filter(action__endswith=".rename").exists()


def test_w1_a_control_that_is_not_shown_in_its_new_category_yet_counts_as_not_confirmed(scene, monkeypatch):
    control, (first, second) = Control.objects.not_shown()[0], ControlCategory.objects.present()[:2]
    address = at("show_control", control)
    scene.desk.objects.add(
        scene.desk.tenant_id,
        "trust-center-controls",
        {"id": control.platform_id, "name": control.name, "description": "", "categories": [first.payload]},
    )
    show_no_change(monkeypatch)
    assert says_unconfirmed(words(scene.client.post(address, {"categories": [second.platform_id]}, follow=True)))
    assert not Entry.objects.filter(action="shown_control.show").exists()
    assert StaleMark.objects.filter(object_id=control.platform_id, urgent=True).exists()
