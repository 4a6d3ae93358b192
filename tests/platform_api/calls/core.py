"""Calls of customer trust and of the Trust Center: requests, viewers, documents, activity."""

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from portal.platform_api.request import Download
from tests.platform_api.world import World

LATER = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
PDF = b"%PDF-1.7 synthetic"
UNKNOWN = "65a0000000000000000fffff"


def first_export(world: World) -> str:
    return world.api.questionnaires.exports.start(world.id_of("questionnaires"), "csv").id


def owner(world: World) -> dict[str, str]:
    return {"type": "User", "id": world.id_of("users")}


def response_ids(world: World) -> tuple[str, str]:
    questionnaire_id = world.id_of("questionnaires")
    found = world.sandbox.objects.all(world.tenant.id, "responses", parent_id=questionnaire_id)
    return questionnaire_id, next(each["id"] for each in found if each.get("answerPartsSchema"))


def text_part(world: World) -> dict[str, Any]:
    _, response_id = response_ids(world)
    found = world.sandbox.objects.get(world.tenant.id, "responses", response_id)
    properties = found["answerPartsSchema"]["properties"]
    return {next(key for key, part in properties.items() if part.get("type") == "string" and "enum" not in part): "Yes."}


def person(email: str = "kim@buyer.example") -> dict[str, Any]:
    return {"email": email, "name": "Kim", "company_name": "Buyer", "is_nda_required": True, "access_level": "FULL_ACCESS"}


def read_media(opening: AbstractContextManager[Download]) -> bytes:
    with opening as download:
        assert download.content_type
        return b"".join(download.chunks)


def document() -> io.BytesIO:
    return io.BytesIO(b"%PDF-1.7 questions")


CALLS: dict[str, Callable[[World], Any]] = {
    "questionnaires.all": lambda w: w.api.questionnaires.all.page(),
    "questionnaires.get": lambda w: w.api.questionnaires.get(w.id_of("questionnaires")),
    "questionnaires.create_from_file": lambda w: w.api.questionnaires.create_from_file(
        document(),
        filename="questions.pdf",
        display_name="Buyer review",
        due_date=LATER,
        owner_assignment=owner(w),
        metadata=[{"key": "deal", "value": "D-42"}],
        include_untagged_entities_for_category_ids=["c1", "c2"],
    ),
    "questionnaires.create_from_website": lambda w: w.api.questionnaires.create_from_website(
        display_name="Buyer portal", url="https://buyer.example/q", due_date=LATER
    ),
    "questionnaires.update": lambda w: w.api.questionnaires.update(
        w.id_of("questionnaires"), display_name="New name", due_date=None
    ),
    "questionnaires.delete": lambda w: w.api.questionnaires.delete(w.id_of("questionnaires")),
    "questionnaires.approve": lambda w: w.api.questionnaires.approve(w.id_of("questionnaires"), message="Good."),
    "questionnaires.complete": lambda w: w.api.questionnaires.complete(w.id_of("questionnaires")),
    "questionnaires.assignable_users": lambda w: w.api.questionnaires.assignable_users(role="owner", q=""),
    "questionnaires.exports.start": lambda w: w.api.questionnaires.exports.start(w.id_of("questionnaires"), "csv"),
    "questionnaires.exports.get": lambda w: w.api.questionnaires.exports.get(first_export(w)),
    "questionnaires.responses.all": lambda w: w.api.questionnaires.responses.all.page(None, w.id_of("questionnaires")),
    "questionnaires.responses.get": lambda w: w.api.questionnaires.responses.get(*response_ids(w)),
    "questionnaires.responses.update": lambda w: w.api.questionnaires.responses.update(*response_ids(w), text_part(w)),
    "questionnaires.responses.set_owner": lambda w: w.api.questionnaires.responses.set_owner(*response_ids(w), owner(w)),
    "accounts.all": lambda w: w.api.accounts.all.page(None, is_auto_approval_enabled=False),
    "accounts.get": lambda w: w.api.accounts.get(w.id_of("accounts")),
    "accounts.create": lambda w: w.api.accounts.create(name="Buyer", email_domain="new-buyer.example"),
    "accounts.update": lambda w: w.api.accounts.update(w.id_of("accounts"), name="Buyer Ltd"),
    "accounts.delete": lambda w: w.api.accounts.delete(w.id_of("accounts")),
    "contracts.all": lambda w: w.api.contracts.all.page(),
    "contracts.get": lambda w: w.api.contracts.get(w.id_of("contracts")),
    "contracts.create": lambda w: w.api.contracts.create(
        io.BytesIO(PDF), filename="agreement.pdf", external_id="crm-1", executed_date=LATER
    ),
    "contracts.delete": lambda w: w.api.contracts.delete(w.id_of("contracts")),
    "deletion_requests.create": lambda w: w.api.deletion_requests.create("kim@buyer.example"),
    "users.all": lambda w: w.api.users.all.page(),
    "users.get": lambda w: w.api.users.get(w.id_of("users")),
    "trust_center.get": lambda w: w.trust_center.get(),
    "trust_center.access_requests.all": lambda w: w.trust_center.access_requests.all.page(),
    "trust_center.access_requests.get": lambda w: w.trust_center.access_requests.get(w.id_of("access-requests")),
    "trust_center.access_requests.approve": lambda w: w.trust_center.access_requests.approve(
        w.id_of("access-requests"), expiration_date=LATER, is_nda_required=False, access_level="FULL_ACCESS"
    ),
    "trust_center.access_requests.deny": lambda w: w.trust_center.access_requests.deny(
        w.id_of("access-requests"), reason="No deal"
    ),
    "trust_center.historical_access_requests.all": lambda w: w.trust_center.historical_access_requests.all.page(),
    "trust_center.viewers.all": lambda w: w.trust_center.viewers.all.page(None, include_removed=False),
    "trust_center.viewers.get": lambda w: w.trust_center.viewers.get(w.id_of("viewers")),
    "trust_center.viewers.create": lambda w: w.trust_center.viewers.create(**person(), expiration_date=LATER),
    "trust_center.viewers.update": lambda w: w.trust_center.viewers.update(w.id_of("viewers"), expiration_date=None),
    "trust_center.viewers.delete": lambda w: w.trust_center.viewers.delete(w.id_of("viewers")),
    "trust_center.viewers.send_invite_reminder": lambda w: w.trust_center.viewers.send_invite_reminder(w.id_of("viewers")),
    "trust_center.resources.all": lambda w: w.trust_center.resources.all(),
    "trust_center.resources.get": lambda w: w.trust_center.resources.get(w.id_of("resources")),
    "trust_center.resources.media": lambda w: read_media(w.trust_center.resources.media(w.id_of("resources"))),
    "trust_center.activity.all": lambda w: w.trust_center.activity.all.page(
        None, event_types_matches_any=["PAGE_VIEW", "RESOURCE_VIEW"]
    ),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "questionnaires.get": lambda w: w.api.questionnaires.get(UNKNOWN),
    "questionnaires.update": lambda w: w.api.questionnaires.update(UNKNOWN, display_name="New"),
    "questionnaires.delete": lambda w: w.api.questionnaires.delete(UNKNOWN),
    "questionnaires.approve": lambda w: w.api.questionnaires.approve(UNKNOWN),
    "questionnaires.complete": lambda w: w.api.questionnaires.complete(UNKNOWN),
    "questionnaires.exports.get": lambda w: w.api.questionnaires.exports.get(UNKNOWN),
    "questionnaires.responses.all": lambda w: w.api.questionnaires.responses.all.page(None, UNKNOWN),
    "questionnaires.responses.get": lambda w: w.api.questionnaires.responses.get(w.id_of("questionnaires"), UNKNOWN),
    "accounts.get": lambda w: w.api.accounts.get(UNKNOWN),
    "accounts.delete": lambda w: w.api.accounts.delete(UNKNOWN),
    "contracts.get": lambda w: w.api.contracts.get(UNKNOWN),
    "contracts.delete": lambda w: w.api.contracts.delete(UNKNOWN),
    "trust_center.get": lambda w: w.api.trust_center("nobody").get(),
    "trust_center.access_requests.get": lambda w: w.trust_center.access_requests.get(UNKNOWN),
    "trust_center.access_requests.approve": lambda w: w.trust_center.access_requests.approve(UNKNOWN),
    "trust_center.access_requests.deny": lambda w: w.trust_center.access_requests.deny(UNKNOWN),
    "trust_center.viewers.get": lambda w: w.trust_center.viewers.get(UNKNOWN),
    "trust_center.viewers.update": lambda w: w.trust_center.viewers.update(UNKNOWN, access_level="FULL_ACCESS"),
    "trust_center.viewers.delete": lambda w: w.trust_center.viewers.delete(UNKNOWN),
    "trust_center.resources.get": lambda w: w.trust_center.resources.get(UNKNOWN),
    "trust_center.resources.media": lambda w: read_media(w.trust_center.resources.media(UNKNOWN)),
    "users.get": lambda w: w.api.users.get(UNKNOWN),
}
