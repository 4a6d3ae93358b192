"""Makes controls, what they are mapped to, and the deactivated ones (platform-api 4.10)."""

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import CONTROLS, DEACTIVATED, FRAMEWORKS, SECTIONS
from portal.sandbox.seed.shapes import Json, ago, moment, new_id


def build_controls(cast: Cast) -> list[Json]:
    """Make the controls in use; two thirds have an owner."""
    content, identifiers = cast.content("controls"), cast.identifiers("controls")
    controls = []
    for number, (name, description, domain) in enumerate(CONTROLS, start=1):
        owner = content.choice(cast.active_users) if content.random() < 0.66 else None
        is_custom = number % 4 == 0
        created = ago(cast.now, content, days=(200, 500))
        control = {
            "id": new_id(identifiers),
            "externalId": f"{domain[:3]}-{number}",
            "name": name,
            "description": description,
            "source": "Custom" if is_custom else "Platform",
            "domains": [domain],
            "owner": owner and {"id": owner["id"], "emailAddress": owner["email"], "displayName": owner["displayName"]},
            "customFields": [{"label": "Level", "value": "Key"}] if is_custom else [],
            "creationDate": moment(created),
            "modificationDate": moment(created + (cast.now - created) * content.random()),
            "note": "Wording agreed with the auditor." if is_custom else None,
        }
        if domain == "THIRD-PARTY_MANAGEMENT":
            control["role"] = "CONTROLLER"
        controls.append(control)
    return sorted(controls, key=lambda control: str(control["creationDate"]))


def build_mappings(
    cast: Cast, controls: list[Json], *, documents: list[Json], tests: list[Json]
) -> dict[str, list[Json]]:  # fmt: skip
    """Map every control but the last to sections, documents and tests."""
    content, identifiers = cast.content("mappings"), cast.identifiers("mappings")

    def mapping(target_type: str, target: str, section: str | None = None) -> Json:
        return {"id": new_id(identifiers), "type": target_type, "target": target, "section": section}

    mappings = {}
    for control in controls:
        chosen = content.sample(FRAMEWORKS, k=2)
        found = [mapping("framework", key, content.choice(SECTIONS[key])) for key, *_ in chosen]
        if control is not controls[-1]:
            found += [mapping("document", each["id"]) for each in content.sample(documents, k=3)]
            found += [mapping("test", each["id"]) for each in content.sample(tests, k=3)]
        mappings[control["id"]] = found
    return mappings


def count(control: Json, mappings: list[Json], *, documents: list[Json], tests: list[Json]) -> None:
    """Write how much of a control's evidence passes."""
    targets = {mapping["target"] for mapping in mappings}
    of_documents = [each["uploadStatus"] == "OK" for each in documents if each["id"] in targets]
    of_tests = [each["status"] == "OK" for each in tests if each["id"] in targets]
    evidence = of_documents + of_tests
    if not evidence:
        status = "NO_EVIDENCE_MAPPED"
    elif all(evidence):
        status = "COMPLETED"
    else:
        status = "IN_PROGRESS" if any(evidence) else "NOT_STARTED"
    control |= {
        "numDocumentsPassing": sum(of_documents),
        "numDocumentsTotal": len(of_documents),
        "numTestsPassing": sum(of_tests),
        "numTestsTotal": len(of_tests),
        "status": status,
    }


def build_deactivated(cast: Cast) -> list[Json]:
    """Make the controls that are out of use, with the frameworks they would serve."""
    content, identifiers = cast.content("deactivated controls"), cast.identifiers("deactivated controls")
    controls = []
    for name, description, domain, reason in DEACTIVATED:
        key, display_name, shorthand, _ = content.choice(FRAMEWORKS)
        sections = [content.choice(SECTIONS[key])]
        control = {
            "id": new_id(identifiers),
            "externalId": None,
            "name": name,
            "description": description,
            "source": "Platform",
            "domains": [domain],
            "owner": None,
            "customFields": [],
            "creationDate": moment(ago(cast.now, content, days=(200, 500))),
            "modificationDate": None,
            "frameworks": [{"id": key, "displayName": display_name, "shorthandName": shorthand, "sections": sections}],
            "deactivationReason": reason,
        }
        controls.append(control)
    return sorted(controls, key=lambda control: str(control["creationDate"]))
