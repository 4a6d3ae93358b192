"""Every kind of object of the API: how it is named, found and shaped. An area's kinds stand in a file of their own."""

from portal.sandbox.kinds import agreements, questionnaires, trust_center
from portal.sandbox.kinds.kind import Kind

AREAS = (questionnaires, agreements, trust_center)
KINDS: dict[str, Kind] = {kind.name: kind for area in AREAS for kind in area.KINDS}
BY_PLACEHOLDER: dict[str, Kind] = {kind.by: kind for kind in KINDS.values() if kind.by}

__all__ = ["BY_PLACEHOLDER", "KINDS", "Kind"]
