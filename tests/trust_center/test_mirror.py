"""What the Trust Center shows becomes rows, follows the platform, and is gone only when two looks have missed it."""

import pytest

from portal.sync.models import StaleMark
from portal.trust_center.models import Faq, FaqCategory, Framework, Resource, Subprocessor
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.both

KINDS = {
    "resources": Resource,
    "faq-categories": FaqCategory,
    "faqs": Faq,
    "subprocessors": Subprocessor,
    "trust-center-frameworks": Framework,
}


def here(model) -> dict:
    return dict(model.objects.filter(gone_at=None).values_list("platform_id", "payload"))


def test_every_list_is_copied_and_a_second_look_changes_nothing(desk):
    for kind, model in KINDS.items():
        assert here(model) == desk.there(kind), kind
        assert here(model)
    before = {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()}
    desk.compare()
    assert {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()} == before


def test_what_is_deleted_there_is_gone_here_after_two_looks_and_what_changes_follows(desk):
    deleted = {kind: next(iter(desk.there(kind))) for kind in KINDS}
    for kind, object_id in deleted.items():
        desk.objects.delete(desk.tenant_id, kind, object_id)
    faq_id, faq = next(iter(desk.there("faqs").items()))
    desk.objects.save(desk.tenant_id, "faqs", faq | {"answer": "Changed there.", "category": None})
    desk.compare()
    for kind in ("faq-categories", "trust-center-frameworks"):
        assert KINDS[kind].objects.get(platform_id=deleted[kind]).gone_at is None, "only their list tells, which may be late"
    two_minutes_pass()
    desk.drain()
    for kind, model in KINDS.items():
        assert model.objects.get(platform_id=deleted[kind]).gone_at, kind
    row = Faq.objects.get(platform_id=faq_id)
    assert (row.answer, row.category_id) == ("Changed there.", "")
    assert Faq.objects.present().last() == row, "what is in no category stands last"


@pytest.mark.parametrize("kind", ["faq-categories", "trust-center-frameworks"])
def test_q14_what_only_a_list_tells_is_not_gone_while_it_cannot_be_read(desk, kind):
    object_id, *others = desk.there(kind)
    desk.change(kind, object_id, name=None)
    desk.change(kind, others[0], name="Renamed")
    desk.compare()
    two_minutes_pass()
    desk.drain()
    rows = KINDS[kind].objects
    assert rows.get(platform_id=object_id).gone_at is None
    assert StaleMark.objects.unreadable().filter(object_id=object_id).exists()
    assert rows.get(platform_id=others[0]).name == "Renamed"
