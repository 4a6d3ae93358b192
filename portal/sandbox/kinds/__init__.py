"""Every kind of object of the API: how it is named, found and shaped. An area's kinds stand in a file of their own."""

from portal.sandbox.kinds import (
    agreements,
    audits,
    compliance,
    knowledge,
    people,
    questionnaires,
    risks,
    showcase,
    trust_center,
    vendors,
)
from portal.sandbox.kinds.kind import Kind

AREAS = (questionnaires, agreements, knowledge, trust_center, showcase, people, vendors, risks, compliance, audits)
KINDS: dict[str, Kind] = {kind.name: kind for area in AREAS for kind in area.KINDS}
BY_PLACEHOLDER: dict[str, Kind] = {kind.by: kind for kind in KINDS.values() if kind.by}

__all__ = ["BY_PLACEHOLDER", "KINDS", "Kind"]
