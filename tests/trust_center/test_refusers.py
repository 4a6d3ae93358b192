"""R5 on the Trust Center's desk: whoever refuses a change is named, whichever change it is."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from portal.trust_center.models import (
    Control,
    ControlCategory,
    Faq,
    FaqCategory,
    Framework,
    Publication,
    Resource,
    ShownControl,
    Subprocessor,
    Subscriber,
    SubscriberGroup,
    SubscriberInGroup,
    Update,
)
from portal.trust_center.services.publications import PUBLICATIONS
from portal.trust_center.tasks import work_on_publication
from tests.support.refusers import Scene, Sent, Write, opened, press, turn, wrongly_named
from tests.trust_center.publications import FORM

pytestmark = pytest.mark.once


def at(name: str, row: Any = None) -> str:
    return reverse(f"trust_center:{name}", args=["acme", *([row.platform_id] if row else [])])


def sends(call: str, name: str, model: Any = None, /, **fields: Any) -> Write:
    """Make it a button or a form that need not be opened before; `model`: it is about the first of these."""
    return press(call, lambda _: (at(name, model and model.objects.present()[0]), fields))


def changes(call: str, name: str, model: Any = None, /, **typed: Any) -> Write:
    """Make it a form that holds what is there, with these fields changed."""
    return press(call, lambda scene: opened(scene.client, at(name, model and model.objects.present()[0]), **typed))


def file_for(name: str, /, **fields: Any) -> Sent:
    return at(name), fields | {"file": SimpleUploadedFile("soc2.pdf", b"%PDF-1.7 a report")}


def badge(_: Scene) -> Sent:
    return at("set_badge", Framework.objects.present()[0]), {"file": SimpleUploadedFile("badge.png", b"\x89PNG")}


def show_a_control(_: Scene) -> Sent:
    chosen = [ControlCategory.objects.present()[0].platform_id]
    return at("show_control", Control.objects.not_shown()[0]), {"categories": chosen}


def take_out_of_a_category(scene: Scene) -> Sent:
    page = at("place_control", ShownControl.objects.present()[0])
    both = [row.platform_id for row in ControlCategory.objects.present()[:2]]
    scene.client.post(*opened(scene.client, page, categories=both))
    return opened(scene.client, page, categories=both[:1])


def put_into_a_group(scene: Scene) -> Sent:
    row = Subscriber.objects.present()[0]
    inside = set(SubscriberInGroup.objects.filter(subscriber=row).values_list("group_id", flat=True))
    chosen = next([group.platform_id] for group in SubscriberGroup.objects.present() if inside != {group.platform_id})
    return opened(scene.client, at("subscriber_groups_of", row), groups=chosen)


def held_back(scene: Scene, address: str, **fields: Any) -> None:
    """Have an update sent, and let the half minute pass in which it can be undone."""
    assert scene.client.post(address, fields | {"step": "publish"}).status_code == 302
    Publication.objects.update(due_at=timezone.now())


def mailed(call: str, **audience: Any) -> Write:
    def begin(scene: Scene) -> None:
        groups = {"groups": [SubscriberInGroup.objects.all()[0].group_id]} if audience["target"] == "GROUPS" else {}
        held_back(scene, at("tell", Update.objects.present()[0]), **audience, **groups)

    return turn(call, begin, of=PUBLICATIONS, task=work_on_publication)


SAID = {"name": "Our own", "description": "What we hold ourselves to."}
CENTER = "trust_center"
WRITES: dict[str, Write] = {
    "settings": changes(f"{CENTER}.update", "edit_settings", title="Security at Acme"),
    "a document": press(
        f"{CENTER}.resources.create",
        lambda _: file_for("new_resource", title="SOC 2 report", description="Of this year.", access="on-request"),
    ),
    "change of a document": changes(f"{CENTER}.resources.update", "edit_resource", Resource, title="Renamed"),
    "end of a document": sends(f"{CENTER}.resources.delete", "delete_resource", Resource),
    "a control": press(f"{CENTER}.controls.add", show_a_control),
    "end of a control": sends(f"{CENTER}.controls.delete", "hide_control", ShownControl),
    "place of a control": press(f"{CENTER}.control_categories.change_controls", take_out_of_a_category),
    "a category": sends(f"{CENTER}.control_categories.create", "add_control_category", name="Resilience"),
    "name of a category": sends(
        f"{CENTER}.control_categories.update", "rename_control_category", ControlCategory, name="Where it runs"
    ),
    "order of categories": sends(f"{CENTER}.control_categories.reorder", "move_control_category", ControlCategory, to="down"),
    "end of a category": sends(f"{CENTER}.control_categories.delete", "delete_control_category", ControlCategory),
    "a question": sends(f"{CENTER}.faqs.create", "new_faq", question="Is it encrypted?", answer="Yes.", category=""),
    "change of a question": changes(f"{CENTER}.faqs.update", "edit_faq", Faq, answer="Another answer."),
    "end of a question": sends(f"{CENTER}.faqs.delete", "delete_faq", Faq),
    "a category of questions": sends(f"{CENTER}.faq_categories.create", "add_category", name="Where it runs"),
    "name of a category of questions": sends(
        f"{CENTER}.faq_categories.rename", "rename_category", FaqCategory, name="Where data is kept"
    ),
    "end of a category of questions": sends(f"{CENTER}.faq_categories.delete", "delete_category", FaqCategory),
    "a subprocessor": sends(
        f"{CENTER}.subprocessors.create", "new_subprocessor", **SAID, url="", purpose="Sends email", location="Ireland"
    ),
    "change of a subprocessor": changes(
        f"{CENTER}.subprocessors.update", "edit_subprocessor", Subprocessor, purpose="Sends email to customers"
    ),
    "end of a subprocessor": sends(f"{CENTER}.subprocessors.delete", "delete_subprocessor", Subprocessor),
    "a framework": sends(f"{CENTER}.compliance_frameworks.create", "new_framework", **SAID, standard=""),
    "change of a framework": changes(
        f"{CENTER}.compliance_frameworks.update", "edit_framework", Framework, description="Changed."
    ),
    "badge of a framework": press(f"{CENTER}.compliance_frameworks.set_badge", badge),
    "end of a framework": sends(f"{CENTER}.compliance_frameworks.delete", "delete_framework", Framework),
    "an update": turn(
        f"{CENTER}.updates.create",
        lambda scene: held_back(scene, at("new_update"), **FORM),
        of=PUBLICATIONS,
        task=work_on_publication,
    ),
    "change of an update": changes(f"{CENTER}.updates.update", "edit_update", Update, text="Another text."),
    "end of an update": sends(f"{CENTER}.updates.delete", "delete_update", Update),
    "mails to everybody": mailed(f"{CENTER}.updates.notify_all", target="ALL"),
    "mails to a group": mailed(f"{CENTER}.updates.notify", target="GROUPS"),
    "a subscriber": sends(f"{CENTER}.subscribers.create", "new_subscriber", email="reader@customer.example"),
    "groups of a subscriber": press(f"{CENTER}.subscribers.set_groups", put_into_a_group),
    "end of a subscriber": sends(f"{CENTER}.subscribers.delete", "remove_subscriber", Subscriber),
    "a group": sends(f"{CENTER}.subscriber_groups.create", "add_subscriber_group", name="Resellers"),
    "name of a group": sends(f"{CENTER}.subscriber_groups.rename", "rename_subscriber_group", SubscriberGroup, name="Partners"),
    "end of a group": sends(f"{CENTER}.subscriber_groups.delete", "delete_subscriber_group", SubscriberGroup),
}


def test_r5_whoever_refuses_a_change_of_the_trust_center_is_named(scene):
    assert wrongly_named(scene, WRITES) == []


@pytest.mark.moods
def test_r5_each_refuser_of_each_change_of_the_trust_center_is_named(scene):
    assert wrongly_named(scene, WRITES, is_whole=True) == []
