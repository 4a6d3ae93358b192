"""Calls of tags, the knowledge base and the answer library."""

import io
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.platform_api.world import World

LATER = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
UNKNOWN = "65a0000000000000000fffff"


def resource(world: World, kind: str) -> str:
    found = world.sandbox.objects.all(world.tenant.id, "knowledge-resources")
    return str(next(each["id"] for each in found if each["type"] == kind))


def owner(world: World) -> dict[str, str]:
    return {"type": "User", "id": world.id_of("users")}


def tags(world: World) -> list[dict[str, str]]:
    tag = world.sandbox.objects.all(world.tenant.id, "tags")[0]
    return [{"categoryId": tag["category"], "tagId": tag["id"]}]


def file() -> io.BytesIO:
    return io.BytesIO(b"%PDF-1.7 policy")


CALLS: dict[str, Callable[[World], Any]] = {
    "tag_categories.all": lambda w: w.api.tag_categories.all(product_context_ids_matches_any=["QUESTIONNAIRE"]),
    "tag_categories.get": lambda w: w.api.tag_categories.get(w.id_of("tag-categories")),
    "tag_categories.enable": lambda w: w.api.tag_categories.enable(w.id_of("tag-categories"), "CONTROL_SHARING"),
    "tag_categories.disable": lambda w: w.api.tag_categories.disable(w.id_of("tag-categories"), "CONTROL_SHARING"),
    "knowledge_base.all": lambda w: w.api.knowledge_base.all.page(None, q="policy", type_matches_any=["FILE"]),
    "knowledge_base.get": lambda w: w.api.knowledge_base.get(resource(w, "FILE")),
    "knowledge_base.delete": lambda w: w.api.knowledge_base.delete(resource(w, "URL")),
    "knowledge_base.verify": lambda w: w.api.knowledge_base.verify(resource(w, "FILE")),
    "knowledge_base.documents.create": lambda w: w.api.knowledge_base.documents.create(
        file(), filename="policy.pdf", title="Policy", owner_assignment=owner(w), tags=tags(w), expiration_date=LATER,
        is_used_in_questionnaires=True, customer_visibility="PRIVATE", download_permission="VIEW_ONLY",
    ),
    "knowledge_base.documents.update": lambda w: w.api.knowledge_base.documents.update(
        resource(w, "FILE"), title="Policy 2", description=None, expiration_date=None
    ),
    "knowledge_base.documents.replace": lambda w: w.api.knowledge_base.documents.replace(
        resource(w, "FILE"), file(), filename="policy.pdf"
    ),
    "knowledge_base.webpages.create": lambda w: w.api.knowledge_base.webpages.create(
        title="Status", url="https://status.example/", include_sub_pages=True
    ),
    "knowledge_base.webpages.update": lambda w: w.api.knowledge_base.webpages.update(resource(w, "URL"), title="State"),
    "answer_library.all": lambda w: w.api.answer_library.all.page(None, last_updated_before=LATER),
    "answer_library.create": lambda w: w.api.answer_library.create(
        question="Do you encrypt?", answer="Yes.", owner_assignment=owner(w), tags=tags(w)
    ),
    "answer_library.get": lambda w: w.api.answer_library.get(w.id_of("answers")),
    "answer_library.update": lambda w: w.api.answer_library.update(w.id_of("answers"), answer="No.", expiration_date=None),
    "answer_library.delete": lambda w: w.api.answer_library.delete(w.id_of("answers")),
    "answer_library.verify": lambda w: w.api.answer_library.verify(w.id_of("answers"), expiration_date=LATER),
}  # fmt: skip

MISSING: dict[str, Callable[[World], Any]] = {
    "tag_categories.get": lambda w: w.api.tag_categories.get(UNKNOWN),
    "tag_categories.enable": lambda w: w.api.tag_categories.enable(UNKNOWN, "CONTROL_SHARING"),
    "tag_categories.disable": lambda w: w.api.tag_categories.disable(UNKNOWN, "CONTROL_SHARING"),
    "knowledge_base.get": lambda w: w.api.knowledge_base.get(UNKNOWN),
    "knowledge_base.delete": lambda w: w.api.knowledge_base.delete(UNKNOWN),
    "knowledge_base.verify": lambda w: w.api.knowledge_base.verify(UNKNOWN),
    "knowledge_base.documents.update": lambda w: w.api.knowledge_base.documents.update(resource(w, "URL"), title="x"),
    "knowledge_base.documents.replace": lambda w: w.api.knowledge_base.documents.replace(UNKNOWN, file(), filename="x.pdf"),
    "knowledge_base.webpages.update": lambda w: w.api.knowledge_base.webpages.update(resource(w, "FILE"), title="x"),
    "answer_library.get": lambda w: w.api.answer_library.get(UNKNOWN),
    "answer_library.update": lambda w: w.api.answer_library.update(UNKNOWN, answer="x"),
    "answer_library.delete": lambda w: w.api.answer_library.delete(UNKNOWN),
    "answer_library.verify": lambda w: w.api.answer_library.verify(UNKNOWN),
}
