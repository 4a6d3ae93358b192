"""Every kind of object of the API: how it is named, found and shaped. An area's kinds stand in a file of their own."""

from portal.sandbox.kinds import (
    agreements,
    audits,
    compliance,
    inventory,
    knowledge,
    people,
    questionnaires,
    risks,
    showcase,
    trust_center,
    vendors,
)
from portal.sandbox.kinds.kind import Kind

AREAS: dict[str, tuple[Kind, ...]] = {
    "Customer trust": (*questionnaires.KINDS, *agreements.KINDS, *trust_center.KINDS),
    "Knowledge": knowledge.KINDS,
    "What the Trust Center shows": showcase.KINDS,
    "People": people.KINDS,
    "Vendors": vendors.KINDS,
    "Risks": risks.KINDS,
    "Compliance": compliance.KINDS,
    "Inventory": inventory.KINDS,
    "Audits": audits.KINDS,
}
"""The kinds as a person would look for them, the most used first."""
KINDS: dict[str, Kind] = {kind.name: kind for kinds in AREAS.values() for kind in kinds}
BY_PLACEHOLDER: dict[str, Kind] = {kind.by: kind for kind in KINDS.values() if kind.by}

__all__ = ["AREAS", "BY_PLACEHOLDER", "KINDS", "Kind"]
