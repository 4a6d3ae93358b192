"""Makes the frameworks out of the controls that serve them (platform-api 4.10)."""

from collections.abc import Mapping

from portal.sandbox.seed.compliance.texts import FRAMEWORKS, SECTIONS
from portal.sandbox.seed.shapes import Json

SUMS = ("numDocumentsPassing", "numDocumentsTotal", "numTestsPassing", "numTestsTotal")


def build_frameworks(controls: list[Json], mappings: Mapping[str, list[Json]]) -> list[Json]:
    """Make every framework with one category of requirements, and its numbers added up."""
    return [build_framework(facts, controls, mappings) for facts in FRAMEWORKS]


def build_framework(
    facts: tuple[str, str, str, str], controls: list[Json], mappings: Mapping[str, list[Json]]
) -> Json:  # fmt: skip
    key, name, shorthand, description = facts
    serving = [control for control in controls if any(each["target"] == key for each in mappings[control["id"]])]
    requirements = [
        requirement(section, [control for control in serving if has_section(mappings[control["id"]], key, section)])
        for section in SECTIONS[key]
    ]
    return {
        "id": key,
        "displayName": name,
        "shorthandName": shorthand,
        "description": description,
        "numControlsCompleted": sum(control["status"] == "COMPLETED" for control in serving),
        "numControlsTotal": len(serving),
        **{total: sum(control[total] for control in serving) for total in SUMS},
        "requirementCategories": [
            {"id": f"{key}-main", "name": "Requirements", "shorthand": None, "requirements": requirements}
        ],
    }  # fmt: skip


def requirement(section: str, controls: list[Json]) -> Json:
    return {
        "id": section,
        "name": f"Requirement {section}",
        "shorthand": section,
        "description": None,
        "controls": [{name: control[name] for name in ("id", "name", "description", "externalId")} for control in controls],
    }


def has_section(mappings: list[Json], key: str, section: str) -> bool:
    return any((each["target"], each["section"]) == (key, section) for each in mappings)
