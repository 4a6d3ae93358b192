"""Controls and the deactivated ones (platform-api 4.10)."""

from portal.sandbox.api.compliance import links
from portal.sandbox.api.compliance.owners import SET_OWNER, as_owner
from portal.sandbox.api.handlers import creating, reading, updating
from portal.sandbox.api.lists import brief, listing, showing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.codes import CONTROL_DOMAINS
from portal.sandbox.kinds.compliance.controls import CONTROL, ROLES
from portal.sandbox.schemas import (
    CUSTOM_FIELDS,
    MOMENT,
    NAME,
    STRING,
    array,
    closed,
    nullable,
    one_of,
    reference,
)
from portal.sandbox.store import Json

PATH, KIND, DEACTIVATED = "/controls", "controls", "deactivated-controls"
SECTIONS = nullable(array(closed(required=["frameworkId", "sectionId"], frameworkId=NAME, sectionId=NAME)))
"""The id of a framework, the platform's own code of it, or any other text: what is not known here is not mapped."""
DOMAIN = one_of(*CONTROL_DOMAINS)
CREATE = closed(
    required=["externalId", "name", "description", "effectiveDate", "domain"],
    externalId=NAME,
    name=nullable(NAME),
    description=STRING,
    effectiveDate=MOMENT,
    domain=DOMAIN,
    sections=SECTIONS,
    role=nullable(ROLES),
    customFields=CUSTOM_FIELDS,
)
PATCH = closed(name=NAME, externalId=NAME, description=STRING, domain=DOMAIN, note=STRING, customFields=CUSTOM_FIELDS)
ADD = closed(required=["controlId"], controlId=reference(DEACTIVATED))
NOTHING_MAPPED = {"numDocumentsPassing": 0, "numDocumentsTotal": 0, "numTestsPassing": 0, "numTestsTotal": 0}
NOTHING_MAPPED_STATUS = "NO_EVIDENCE_MAPPED"


def custom(call: Call) -> Json:
    """Make what a control of the tenant's own has besides what was sent."""
    return {
        "name": call.body["name"] or call.body["externalId"],
        "source": "Custom",
        "domains": [call.body["domain"]],
        "creationDate": call.now,
        "modificationDate": call.now,
    }


def connect_sections(call: Call, control: Json) -> None:
    known = {letters_of(each["id"]): each["id"] for each in call.sandbox.objects.all(call.tenant.id, "frameworks")}
    for section in call.body.get("sections") or ():
        framework_id = known.get(letters_of(section["frameworkId"]))
        if framework_id is not None:
            links.connect(call, control["id"], links.FRAMEWORK, framework_id, section=section["sectionId"])


def letters_of(framework_id: str) -> str:
    """Spell the id of a framework so that the code of the platform, such as SOC_2, is the same."""
    return framework_id.replace("_", "").casefold()


def changed_domain(call: Call) -> Json:
    return {"domains": [call.body["domain"]]} if "domain" in call.body else {}


def add_from_library(call: Call) -> Json:
    """Bring a deactivated control back, with its frameworks."""
    deactivated = call.sandbox.objects.get(call.tenant.id, DEACTIVATED, call.body["controlId"])
    call.sandbox.objects.delete(call.tenant.id, DEACTIVATED, deactivated["id"])
    counted = NOTHING_MAPPED | {"status": NOTHING_MAPPED_STATUS, "note": None}
    control = brief(deactivated, CONTROL) | counted | {"modificationDate": call.now}
    call.sandbox.objects.add(call.tenant.id, KIND, control)
    for framework in deactivated["frameworks"]:
        for section in framework["sections"]:
            links.connect(call, control["id"], links.FRAMEWORK, framework["id"], section=section)
    return brief(control, CONTROL)


def deactivate(call: Call) -> None:
    """Take a control out of use; the library keeps it."""
    frameworks: dict[str, Json] = {}
    for mapping in links.targets(call, call.object["id"], links.FRAMEWORK):
        framework = call.sandbox.objects.get(call.tenant.id, "frameworks", mapping["target"])
        facts = {name: framework[name] for name in ("id", "displayName", "shorthandName")}
        frameworks.setdefault(framework["id"], facts | {"sections": []})["sections"].append(mapping["section"])
    kept = brief(call.object, CONTROL) | {"frameworks": [*frameworks.values()], "deactivationReason": None}
    call.sandbox.objects.delete(call.tenant.id, KIND, call.object["id"])
    call.sandbox.objects.add(call.tenant.id, DEACTIVATED, kept | {"modificationDate": call.now})


def shown_briefly(call: Call, control: Json) -> Json:
    """Leave out the numbers, which only a look at one control shows."""
    return brief(control, CONTROL)


MADE, OWNED = creating(KIND, fill=custom, then=connect_sections), updating(KIND, fill=as_owner)
ONE = f"{PATH}/<control_id>"
ROUTES = (
    Route("GET", PATH, listing(KIND, filters=[links.of_framework("frameworkMatchesAny")], shape=CONTROL)),
    Route("POST", PATH, showing(MADE, shown_briefly, shape=CONTROL), body=CREATE, status=201),
    Route("POST", f"{PATH}/add-from-library", add_from_library, body=ADD, answer=CONTROL),
    Route("GET", f"{PATH}/deactivated-controls", listing(DEACTIVATED)),
    Route("GET", f"{PATH}/controls-library", listing(DEACTIVATED), is_deprecated=True),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND, fill=changed_domain), body=PATCH),
    Route("DELETE", ONE, deactivate, status=204),
    Route("POST", f"{ONE}/set-owner", showing(OWNED, shown_briefly, shape=CONTROL), body=SET_OWNER),
)
