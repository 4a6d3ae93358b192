"""Vulnerabilities of assets, and how they are remediated (platform-api 4.13)."""

from portal.sandbox.api.bulk import line_by_line, updates
from portal.sandbox.api.errors import unprocessable
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.inventory.filters import OF_REMEDIATIONS, of_assets, of_vulnerabilities
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.inventory import ASSETS, REMEDIATION, REMEDIATIONS, VULNERABILITIES
from portal.sandbox.schemas import BOOLEAN, MOMENT, NAME
from portal.sandbox.store import Json
from portal.sandbox.values import normalised

MAX_UPDATES = 50


def deactivate(call: Call, line: Json) -> None:
    """Look at a vulnerability no more, for a while or for good. That works at once."""
    until = normalised(line.get("deactivateUntilDate"))
    metadata = {
        "isVulnDeactivatedIndefinitely": until is None,
        "deactivatedUntilDate": until,
        "deactivationReason": line["deactivateReason"],
        "deactivatedOnDate": call.now,
        "deactivatedBy": call.caller.application.client_id,
    }
    change(call, VULNERABILITIES, line["id"], deactivateMetadata=metadata)


def reactivate(call: Call, line: Json) -> None:
    change(call, VULNERABILITIES, line["id"], deactivateMetadata=None)


def acknowledge(call: Call, line: Json) -> None:
    """Keep why a deadline was missed. Where none was there is nothing to say."""
    remediation = call.sandbox.objects.get(call.tenant.id, REMEDIATIONS, line["id"])
    deadline = remediation["slaDeadlineDate"]
    if deadline is None or (remediation["remediationDate"] or call.now) <= deadline:
        raise unprocessable("The deadline of this remediation was not missed")
    change(call, REMEDIATIONS, line["id"], slaViolationComment=line["slaViolationComment"])


def change(call: Call, kind: str, object_id: str, **changes: object) -> None:
    kept = call.sandbox.objects.get(call.tenant.id, kind, object_id)
    call.sandbox.objects.save(call.tenant.id, kind, kept | changes)


PATH, REMEDIATION_PATH, ASSET_PATH = "/vulnerabilities", "/vulnerability-remediations", "/vulnerable-assets"
DEACTIVATE = updates(
    MAX_UPDATES,
    deactivateReason=NAME,
    shouldReactivateWhenFixable=BOOLEAN,
    optional={"deactivateUntilDate": MOMENT},
)
ROUTES = (
    Route("GET", PATH, listing(VULNERABILITIES, filters=of_vulnerabilities("q"))),
    Route("GET", f"{PATH}/<vulnerability_id>", reading(VULNERABILITIES)),
    Route("POST", f"{PATH}/deactivate", line_by_line(deactivate), body=DEACTIVATE),
    Route("POST", f"{PATH}/reactivate", line_by_line(reactivate), body=updates(MAX_UPDATES)),
    Route("GET", REMEDIATION_PATH, listing(REMEDIATIONS, filters=OF_REMEDIATIONS, shape=REMEDIATION)),
    Route(
        "POST",
        f"{REMEDIATION_PATH}/acknowledge-sla-miss",
        line_by_line(acknowledge),
        body=updates(MAX_UPDATES, slaViolationComment=NAME),
    ),
    Route("GET", ASSET_PATH, listing(ASSETS, filters=of_assets("q"))),
    Route("GET", f"{ASSET_PATH}/<vulnerable_asset_id>", reading(ASSETS)),
)
