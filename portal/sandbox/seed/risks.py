"""Makes risk scenarios with their controls, and issues (platform-api 4.8, 4.9)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from portal.sandbox.kinds.risks import (
    CIA,
    CLOSE_REASONS,
    CONTROL_TYPES,
    ISSUE_STATUSES,
    ISSUE_TYPES,
    POAM,
    REVIEW_STATUSES,
    RISK_TYPES,
    SEVERITIES,
    SOURCES,
    STANDARD,
    TREATMENTS,
)
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.controls import build_controls
from portal.sandbox.seed.risk_facts import DOMAINS, FOUND, RISKS
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id

ISSUE_COUNT = 18


def build(cast: Cast) -> Iterator[Batch]:
    """Walk risk scenarios with their controls, and issues, the oldest first."""
    content, identifiers = cast.content("risks"), cast.identifiers("risks")
    scenarios = [build_scenario(cast, number, *facts, content=content) for number, facts in enumerate(RISKS)]
    controls = [control["id"] for control in build_controls(cast)][:10]
    yield "risk-scenarios", None, scenarios
    for scenario in scenarios:
        chosen = content.sample(controls, k=3)
        links = [
            {"id": new_id(identifiers), "controlId": control, "controlType": content.choice(CONTROL_TYPES)}
            for control in chosen
        ]
        yield "risk-scenario-controls", scenario["id"], links
    issues = [
        build_issue(cast, number, scenarios=scenarios, controls=controls, content=content, identifiers=identifiers)
        for number in range(ISSUE_COUNT)
    ]
    yield "issues", None, issues


def build_scenario(cast: Cast, number: int, description: str, category: str, *, content: Random) -> Json:
    likelihood, impact = content.randint(1, 5), content.randint(1, 5)
    is_scored = number % 7 != 6
    return {
        "id": f"RISK-{number + 1:03d}",
        "description": description,
        "detailedDescription": None,
        "type": RISK_TYPES[number % 5 == 4],
        "reviewStatus": REVIEW_STATUSES[number % len(REVIEW_STATUSES)],
        "isSensitive": number % 6 == 1,
        "likelihood": likelihood if is_scored else None,
        "impact": impact if is_scored else None,
        "residualLikelihood": content.randint(1, likelihood) if is_scored else None,
        "residualImpact": impact if is_scored else None,
        "categories": [category],
        "ciaCategories": content.sample(CIA, k=number % 4),
        "treatment": content.choice(TREATMENTS) if is_scored else None,
        "owner": content.choice(cast.active_users)["email"] if number % 4 else None,
        "note": None,
        "riskRegister": "Company risks",
        "customFields": [],
        "isArchived": number % 8 == 7,
        "requiredApprovers": [content.choice(cast.active_users)["id"]],
        "identificationDate": moment(cast.now - timedelta(days=400 - number * 20)),
    }


def build_issue(
    cast: Cast, number: int, *, scenarios: list[Json], controls: list[str], content: Random, identifiers: Random
) -> Json:
    """Make one issue. Every fourth is never due; closed ones say why."""
    title, description = FOUND[number % len(FOUND)]
    created = cast.now - timedelta(days=200 - number * 10)
    changed = created + (cast.now - created) * content.random()
    status = ISSUE_STATUSES[number % len(ISSUE_STATUSES)]
    user = content.choice(cast.active_users)
    by_user, by_rule = {"actorType": "USER", "actorId": user["id"]}, {"actorType": "WORKFLOW_GENERATED", "actorId": "rule-1"}
    issue = {
        "id": new_id(identifiers),
        "readableIssueId": f"ISS-{number + 1:03d}",
        "title": title,
        "description": description,
        "status": status,
        "severity": content.choice(SEVERITIES),
        "createdDate": moment(created),
        "createdBy": by_rule if number % 5 == 3 else by_user,
        "lastModifiedDate": moment(changed),
        "lastModifiedBy": by_user,
        "detectedDate": moment(created - timedelta(days=content.uniform(0, 9))),
        "dueDate": None if number % 4 == 2 else moment(ago(cast.now, content, days=(-60, 30))),
        "owners": [{"ownerType": "USER", "ownerId": user["id"]}] if number % 6 else [],
        "rootCause": "The step was not in the checklist." if number % 3 else None,
        "correctiveAction": "The checklist has it now." if status == "CLOSED" else None,
        "source": found_by(number, identifiers),
        "controlDomain": content.choice(DOMAINS),
        "closedMetadata": closing(changed, content) if status == "CLOSED" else None,
        "mappedControlIds": content.sample(controls, k=number % 3),
        "mappedRiskScenarioIds": [content.choice(scenarios)["id"]] if number % 2 else [],
        "mappedPolicyIds": [],
        "customFields": [],
    }
    return issue | template_fields(number, content)


def found_by(number: int, identifiers: Random) -> Json:
    source_type = SOURCES[number % len(SOURCES)]
    is_audit = source_type.startswith("AUDIT")
    return {"sourceType": source_type} | ({"sourceId": new_id(identifiers)} if is_audit else {})


def closing(at: datetime, content: Random) -> Json:
    return {"reason": content.choice(CLOSE_REASONS), "comment": "Checked by the security team.", "closedAt": moment(at)}


def template_fields(number: int, content: Random) -> Json:
    if number % 4 == 1:
        return {"template": POAM, "requiredResources": "Two days of an engineer.", "systemsDescription": None}
    return {"template": STANDARD, "type": content.choice(ISSUE_TYPES)}
