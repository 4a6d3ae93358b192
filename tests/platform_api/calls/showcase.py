"""Calls of what else the Trust Center shows, and of who hears of it."""

import io
from collections.abc import Callable
from typing import Any

from tests.platform_api.calls.core import UNKNOWN
from tests.platform_api.world import World


def file() -> io.BytesIO:
    return io.BytesIO(b"\x89PNG synthetic")


def tagging(world: World) -> dict[str, Any]:
    tag = world.sandbox.objects.all(world.tenant.id, "tags")[0]
    controls = world.ids("trust-center-controls")[:2]
    return {"control_ids": controls, "tag_category": tag["category"], "tags": [tag["id"]]}


def members(world: World) -> list[str]:
    category_id = world.id_of("control-categories")
    controls = world.sandbox.objects.all(world.tenant.id, "trust-center-controls")
    return [each["id"] for each in controls if each["categories"][0]["id"] == category_id]


NEWS = {"title": "News", "description": "All is well.", "category": "GENERAL"}
CALLS: dict[str, Callable[[World], Any]] = {
    "trust_center.update": lambda w: w.trust_center.update(title="Trust", custom_theme={"primary": "#000000"}),
    "trust_center.set_favicon": lambda w: w.trust_center.set_favicon(file(), filename="icon.png"),
    "trust_center.data_collected": lambda w: w.trust_center.data_collected(),
    "trust_center.set_data_collected": lambda w: w.trust_center.set_data_collected(
        data_collected=[{"dataCollected": "Names", "status": "COLLECTED"}]
    ),
    "trust_center.set_videos": lambda w: w.trust_center.set_videos([{"url": "https://vimeo.com/1", "title": "Tour"}]),
    "trust_center.resources.create": lambda w: w.trust_center.resources.create(
        file(), filename="tour.png", title="Tour", is_public=True
    ),
    "trust_center.resources.update": lambda w: w.trust_center.resources.update(w.id_of("resources"), is_public=False),
    "trust_center.resources.delete": lambda w: w.trust_center.resources.delete(w.id_of("resources")),
    "trust_center.resource_categories.all": lambda w: w.trust_center.resource_categories.all(),
    "trust_center.resource_categories.create": lambda w: w.trust_center.resource_categories.create("Legal"),
    "trust_center.resource_categories.reorder": lambda w: w.trust_center.resource_categories.reorder(
        w.ids("resource-categories")
    ),
    "trust_center.resource_categories.rename": lambda w: w.trust_center.resource_categories.rename(
        w.id_of("resource-categories"), "New"
    ),
    "trust_center.resource_categories.delete": lambda w: w.trust_center.resource_categories.delete(
        w.id_of("resource-categories")
    ),
    "trust_center.controls.all": lambda w: w.trust_center.controls.all.page(),
    "trust_center.controls.add": lambda w: w.trust_center.controls.add(
        control_id="65c000000000000000000001", category_ids=w.ids("control-categories")[:2]
    ),
    "trust_center.controls.get": lambda w: w.trust_center.controls.get(w.id_of("trust-center-controls")),
    "trust_center.controls.delete": lambda w: w.trust_center.controls.delete(w.id_of("trust-center-controls")),
    "trust_center.controls.add_tags": lambda w: w.trust_center.controls.add_tags(**tagging(w)),
    "trust_center.controls.remove_tags": lambda w: w.trust_center.controls.remove_tags(**tagging(w)),
    "trust_center.control_categories.all": lambda w: w.trust_center.control_categories.all(),
    "trust_center.control_categories.create": lambda w: w.trust_center.control_categories.create("More"),
    "trust_center.control_categories.reorder": lambda w: w.trust_center.control_categories.reorder(w.ids("control-categories")),
    "trust_center.control_categories.get": lambda w: w.trust_center.control_categories.get(w.id_of("control-categories")),
    "trust_center.control_categories.update": lambda w: w.trust_center.control_categories.update(
        w.id_of("control-categories"), status_visibility_override=None
    ),
    "trust_center.control_categories.delete": lambda w: w.trust_center.control_categories.delete(w.id_of("control-categories")),
    "trust_center.control_categories.change_controls": lambda w: w.trust_center.control_categories.change_controls(
        w.id_of("control-categories"), controls_to_add=w.ids("trust-center-controls")[:1], controls_to_remove=[]
    ),
    "trust_center.control_categories.reorder_controls": lambda w: w.trust_center.control_categories.reorder_controls(
        w.id_of("control-categories"), members(w)
    ),
    "trust_center.faqs.all": lambda w: w.trust_center.faqs.all(),
    "trust_center.faqs.create": lambda w: w.trust_center.faqs.create(question="Q", answer="A", category_id=None),
    "trust_center.faqs.get": lambda w: w.trust_center.faqs.get(w.id_of("faqs")),
    "trust_center.faqs.update": lambda w: w.trust_center.faqs.update(w.id_of("faqs"), question="Q", answer="A"),
    "trust_center.faqs.delete": lambda w: w.trust_center.faqs.delete(w.id_of("faqs")),
    "trust_center.faq_categories.all": lambda w: w.trust_center.faq_categories.all(),
    "trust_center.faq_categories.create": lambda w: w.trust_center.faq_categories.create("More"),
    "trust_center.faq_categories.rename": lambda w: w.trust_center.faq_categories.rename(w.id_of("faq-categories"), "New"),
    "trust_center.faq_categories.delete": lambda w: w.trust_center.faq_categories.delete(w.id_of("faq-categories")),
    "trust_center.subprocessors.all": lambda w: w.trust_center.subprocessors.all(),
    "trust_center.subprocessors.create": lambda w: w.trust_center.subprocessors.create("Cloud", location="Germany"),
    "trust_center.subprocessors.get": lambda w: w.trust_center.subprocessors.get(w.id_of("subprocessors")),
    "trust_center.subprocessors.update": lambda w: w.trust_center.subprocessors.update(w.id_of("subprocessors"), location=None),
    "trust_center.subprocessors.delete": lambda w: w.trust_center.subprocessors.delete(w.id_of("subprocessors")),
    "trust_center.compliance_frameworks.get": lambda w: w.trust_center.compliance_frameworks.get(),
    "trust_center.compliance_frameworks.create": lambda w: w.trust_center.compliance_frameworks.create(
        "TISAX", standard="tisax2027"
    ),
    "trust_center.compliance_frameworks.update": lambda w: w.trust_center.compliance_frameworks.update(
        w.id_of("trust-center-frameworks"), description=None
    ),
    "trust_center.compliance_frameworks.delete": lambda w: w.trust_center.compliance_frameworks.delete(
        w.id_of("trust-center-frameworks")
    ),
    "trust_center.compliance_frameworks.set_badge": lambda w: w.trust_center.compliance_frameworks.set_badge(
        w.id_of("trust-center-frameworks"), file(), filename="badge.png"
    ),
    "trust_center.updates.all": lambda w: w.trust_center.updates.all.page(),
    "trust_center.updates.create": lambda w: w.trust_center.updates.create(**NEWS, notification_target="ALL"),
    "trust_center.updates.get": lambda w: w.trust_center.updates.get(w.id_of("updates")),
    "trust_center.updates.update": lambda w: w.trust_center.updates.update(w.id_of("updates"), **NEWS),
    "trust_center.updates.delete": lambda w: w.trust_center.updates.delete(w.id_of("updates")),
    "trust_center.updates.notify_all": lambda w: w.trust_center.updates.notify_all(w.id_of("updates")),
    "trust_center.updates.notify": lambda w: w.trust_center.updates.notify(
        w.id_of("updates"), emails=["kim@buyer.example"], subscriber_group_ids=w.ids("subscriber-groups")
    ),
    "trust_center.subscribers.all": lambda w: w.trust_center.subscribers.all.page(),
    "trust_center.subscribers.create": lambda w: w.trust_center.subscribers.create(
        email="kim@buyer.example", should_skip_email_verification=True
    ),
    "trust_center.subscribers.get": lambda w: w.trust_center.subscribers.get(w.id_of("subscribers")),
    "trust_center.subscribers.delete": lambda w: w.trust_center.subscribers.delete(w.id_of("subscribers")),
    "trust_center.subscribers.set_groups": lambda w: w.trust_center.subscribers.set_groups(
        w.id_of("subscribers"), w.ids("subscriber-groups")
    ),
    "trust_center.subscriber_groups.all": lambda w: w.trust_center.subscriber_groups.all.page(),
    "trust_center.subscriber_groups.create": lambda w: w.trust_center.subscriber_groups.create("New", w.ids("subscribers")),
    "trust_center.subscriber_groups.get": lambda w: w.trust_center.subscriber_groups.get(w.id_of("subscriber-groups")),
    "trust_center.subscriber_groups.rename": lambda w: w.trust_center.subscriber_groups.rename(
        w.id_of("subscriber-groups"), "New"
    ),
    "trust_center.subscriber_groups.delete": lambda w: w.trust_center.subscriber_groups.delete(w.id_of("subscriber-groups")),
    "trust_center.conversations.all": lambda w: w.trust_center.conversations.all.page(None, search_string="encrypt"),
    "trust_center.conversations.messages": lambda w: w.trust_center.conversations.messages(w.id_of("conversations")),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "trust_center.resources.update": lambda w: w.trust_center.resources.update(UNKNOWN, title="x"),
    "trust_center.resources.delete": lambda w: w.trust_center.resources.delete(UNKNOWN),
    "trust_center.resource_categories.rename": lambda w: w.trust_center.resource_categories.rename(UNKNOWN, "x"),
    "trust_center.resource_categories.delete": lambda w: w.trust_center.resource_categories.delete(UNKNOWN),
    "trust_center.controls.get": lambda w: w.trust_center.controls.get(UNKNOWN),
    "trust_center.controls.delete": lambda w: w.trust_center.controls.delete(UNKNOWN),
    "trust_center.control_categories.get": lambda w: w.trust_center.control_categories.get(UNKNOWN),
    "trust_center.control_categories.update": lambda w: w.trust_center.control_categories.update(UNKNOWN, name="x"),
    "trust_center.control_categories.delete": lambda w: w.trust_center.control_categories.delete(UNKNOWN),
    "trust_center.faqs.get": lambda w: w.trust_center.faqs.get(UNKNOWN),
    "trust_center.faqs.update": lambda w: w.trust_center.faqs.update(UNKNOWN, question="Q", answer="A"),
    "trust_center.faqs.delete": lambda w: w.trust_center.faqs.delete(UNKNOWN),
    "trust_center.faq_categories.rename": lambda w: w.trust_center.faq_categories.rename(UNKNOWN, "x"),
    "trust_center.faq_categories.delete": lambda w: w.trust_center.faq_categories.delete(UNKNOWN),
    "trust_center.subprocessors.get": lambda w: w.trust_center.subprocessors.get(UNKNOWN),
    "trust_center.subprocessors.update": lambda w: w.trust_center.subprocessors.update(UNKNOWN, location="x"),
    "trust_center.subprocessors.delete": lambda w: w.trust_center.subprocessors.delete(UNKNOWN),
    "trust_center.compliance_frameworks.update": lambda w: w.trust_center.compliance_frameworks.update(UNKNOWN, name="x"),
    "trust_center.compliance_frameworks.delete": lambda w: w.trust_center.compliance_frameworks.delete(UNKNOWN),
    "trust_center.compliance_frameworks.set_badge": lambda w: w.trust_center.compliance_frameworks.set_badge(
        UNKNOWN, file(), filename="badge.png"
    ),
    "trust_center.updates.get": lambda w: w.trust_center.updates.get(UNKNOWN),
    "trust_center.updates.update": lambda w: w.trust_center.updates.update(UNKNOWN, **NEWS),
    "trust_center.updates.delete": lambda w: w.trust_center.updates.delete(UNKNOWN),
    "trust_center.updates.notify_all": lambda w: w.trust_center.updates.notify_all(UNKNOWN),
    "trust_center.subscribers.get": lambda w: w.trust_center.subscribers.get(UNKNOWN),
    "trust_center.subscribers.delete": lambda w: w.trust_center.subscribers.delete(UNKNOWN),
    "trust_center.subscriber_groups.get": lambda w: w.trust_center.subscriber_groups.get(UNKNOWN),
    "trust_center.subscriber_groups.rename": lambda w: w.trust_center.subscriber_groups.rename(UNKNOWN, "x"),
    "trust_center.subscriber_groups.delete": lambda w: w.trust_center.subscriber_groups.delete(UNKNOWN),
    "trust_center.conversations.messages": lambda w: w.trust_center.conversations.messages(UNKNOWN),
}
