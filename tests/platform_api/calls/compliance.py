"""Calls of controls, frameworks, tests, policies, integrations and the event log."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.platform_api.world import World

AT = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
UNKNOWN = "65a0000000000000000fffff"


def mapped(world: World, target_type: str) -> tuple[str, str]:
    """Return a control and something that proves it."""
    for control_id in world.ids("controls"):
        found = world.sandbox.objects.all(world.tenant.id, "control-mappings", parent_id=control_id)
        for mapping in found:
            if mapping["type"] == target_type:
                return control_id, mapping["target"]
    raise AssertionError(f"no control has a {target_type}")


def entity(world: World) -> tuple[str, str]:
    return parent_and_id(world, "entities")


def parent_and_id(world: World, kind: str) -> tuple[str, str]:
    found = world.id_of(kind)
    return world.sandbox.objects.parent_of(world.tenant.id, kind, found) or "", found


def resource(world: World) -> tuple[str, str, str]:
    parent, found = parent_and_id(world, "integration-resources")
    integration, kind = parent.split(":")
    return integration, kind, found


CALLS: dict[str, Callable[[World], Any]] = {
    "controls.all": lambda w: w.api.controls.all.page(None, framework_matches_any=["soc2", "gdpr"]),
    "controls.create": lambda w: w.api.controls.create(
        external_id="C-1",
        name=None,
        description="Ours",
        effective_date=AT,
        domain="RISK_MANAGEMENT",
        sections=[{"frameworkId": "soc2", "sectionId": "CC6.1"}],
        role="BOTH",
    ),
    "controls.add_from_library": lambda w: w.api.controls.add_from_library(w.id_of("deactivated-controls")),
    "controls.deactivated": lambda w: w.api.controls.deactivated.page(),
    "controls.library": lambda w: w.api.controls.library.page(),
    "controls.get": lambda w: w.api.controls.get(w.id_of("controls")),
    "controls.update": lambda w: w.api.controls.update(w.id_of("controls"), note="", domain="PRIVACY"),
    "controls.deactivate": lambda w: w.api.controls.deactivate(w.id_of("controls")),
    "controls.set_owner": lambda w: w.api.controls.set_owner(w.id_of("controls"), w.id_of("users")),
    "controls.documents": lambda w: w.api.controls.documents.page(None, mapped(w, "document")[0]),
    "controls.tests": lambda w: w.api.controls.tests.page(None, mapped(w, "test")[0]),
    "controls.add_document": lambda w: w.api.controls.add_document(w.id_of("controls"), w.id_of("documents")),
    "controls.add_test": lambda w: w.api.controls.add_test(w.id_of("controls"), w.id_of("tests")),
    "controls.remove_document": lambda w: w.api.controls.remove_document(*mapped(w, "document")),
    "controls.remove_test": lambda w: w.api.controls.remove_test(*mapped(w, "test")),
    "frameworks.all": lambda w: w.api.frameworks.all.page(),
    "frameworks.get": lambda w: w.api.frameworks.get("soc2"),
    "frameworks.controls": lambda w: w.api.frameworks.controls.page(None, "soc2"),
    "tests.all": lambda w: w.api.tests.all.page(
        None, status_filter="OK", category_filter="INFRASTRUCTURE", is_in_rollout=False
    ),
    "tests.get": lambda w: w.api.tests.get(w.id_of("tests")),
    "tests.entities": lambda w: w.api.tests.entities.page(None, w.id_of("tests"), entity_status="DEACTIVATED"),
    "tests.deactivate_entity": lambda w: w.api.tests.deactivate_entity(*entity(w), reason="Not ours", deactivate_until_date=AT),
    "tests.reactivate_entity": lambda w: w.api.tests.reactivate_entity(*entity(w)),
    "policies.all": lambda w: w.api.policies.all.page(),
    "policies.get": lambda w: w.api.policies.get(w.id_of("policies")),
    "integrations.all": lambda w: w.api.integrations.all.page(),
    "integrations.get": lambda w: w.api.integrations.get(w.id_of("integrations")),
    "integrations.resource_kinds": lambda w: w.api.integrations.resource_kinds(w.id_of("integrations")),
    "integrations.resource_kind": lambda w: w.api.integrations.resource_kind(*resource(w)[:2]),
    "integrations.resources": lambda w: w.api.integrations.resources.page(None, *resource(w)[:2]),
    "integrations.resource": lambda w: w.api.integrations.resource(*resource(w)),
    "event_logs.all": lambda w: w.api.event_logs.all.page(None, start_date=AT),
}

MISSING: dict[str, Callable[[World], Any]] = {
    "controls.get": lambda w: w.api.controls.get(UNKNOWN),
    "controls.update": lambda w: w.api.controls.update(UNKNOWN, name="x"),
    "controls.deactivate": lambda w: w.api.controls.deactivate(UNKNOWN),
    "controls.set_owner": lambda w: w.api.controls.set_owner(UNKNOWN, None),
    "controls.documents": lambda w: w.api.controls.documents.page(None, UNKNOWN),
    "controls.remove_test": lambda w: w.api.controls.remove_test(w.id_of("controls"), UNKNOWN),
    "frameworks.get": lambda w: w.api.frameworks.get(UNKNOWN),
    "frameworks.controls": lambda w: w.api.frameworks.controls.page(None, UNKNOWN),
    "tests.get": lambda w: w.api.tests.get(UNKNOWN),
    "tests.entities": lambda w: w.api.tests.entities.page(None, UNKNOWN),
    "tests.reactivate_entity": lambda w: w.api.tests.reactivate_entity(w.id_of("tests"), UNKNOWN),
    "policies.get": lambda w: w.api.policies.get(UNKNOWN),
    "integrations.get": lambda w: w.api.integrations.get(UNKNOWN),
    "integrations.resource_kind": lambda w: w.api.integrations.resource_kind(w.id_of("integrations"), UNKNOWN),
    "integrations.resource": lambda w: w.api.integrations.resource(*resource(w)[:2], UNKNOWN),
}
