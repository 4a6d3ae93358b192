"""A platform that writes texts down in another way than they were sent: what was written counts as written."""

import pytest

from portal.audit.models import Entry
from portal.platform_writes.models import ItemState
from portal.trust_center.models import Faq, Publication, Update
from tests.support.contrary_writes import spell_otherwise
from tests.support.refusers import opened
from tests.trust_center.conftest import CALL
from tests.trust_center.publications import FORM, NEW, THERE, let_pass, state
from tests.trust_center.test_refusers import at, sends

TEXT = "One line.\nAnother one!"
ADDED = {
    "faq.add": sends("", "new_faq", question="Is it encrypted?", answer=TEXT, category=""),
    "shown_framework.add": sends("", "new_framework", name="Our own", description=TEXT, standard=""),
}


@pytest.mark.parametrize(("sent", "kept"), [("\n", "\r\n"), ("!", ".")])
@pytest.mark.parametrize("action", ADDED)
def test_what_was_added_is_not_taken_for_another_one(scene, monkeypatch, action, sent, kept):
    press = ADDED[action].prepare(scene)
    spell_otherwise(monkeypatch, sent, kept)
    press()
    assert Entry.objects.filter(action=action).count() == 1


def test_w1_an_update_whose_answer_was_lost_is_found_with_other_line_ends(scene, monkeypatch):
    spell_otherwise(monkeypatch, "\n", "\r\n")
    scene.sandbox.fail("drop_answer", method="POST", path=f"{CALL}/updates", times=1)
    scene.client.post(NEW, FORM | {"text": TEXT, "step": "publish"})
    publication = let_pass(Publication.objects.get())
    assert state(publication) == ItemState.DONE
    assert publication.update_id in scene.desk.there(THERE)


@pytest.mark.parametrize(
    ("kind", "field", "form", "model", "typed"),
    [("faqs", "answer", "edit_faq", Faq, "answer"), (THERE, "description", "edit_update", Update, "text")],
)
def test_w1_a_change_whose_answer_was_lost_is_found_with_other_line_ends(scene, monkeypatch, kind, field, form, model, typed):
    row = model.objects.present()[0]
    scene.desk.change(kind, row.platform_id, **{field: "Written\r\nthere."})
    scene.desk.compare()
    spell_otherwise(monkeypatch, "\n", "\r\n")
    scene.sandbox.fail("drop_answer", method="PATCH", path=f"{CALL}/*", times=1)
    assert scene.client.post(*opened(scene.client, at(form, model.objects.get(pk=row.pk)), **{typed: TEXT})).status_code == 302
    assert scene.desk.there(kind)[row.platform_id][field] == TEXT.replace("\n", "\r\n")
