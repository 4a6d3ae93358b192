"""The documents and tests of a control (platform-api 4.10)."""

from collections.abc import Callable

from portal.sandbox.api.compliance import links
from portal.sandbox.api.compliance.controls import ONE
from portal.sandbox.api.compliance.documents import addressed, shown_briefly
from portal.sandbox.api.handlers import saved
from portal.sandbox.api.lists import brief, chosen, showing
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.compliance.checks import TEST
from portal.sandbox.kinds.compliance.controls import CONTROL
from portal.sandbox.kinds.compliance.documents import DOCUMENT, FINE
from portal.sandbox.schemas import closed, record, reference
from portal.sandbox.store import Json

KIND_OF = {links.DOCUMENT: "documents", links.TEST: "tests"}
SHOW: dict[str, Callable[[Call, Json], Json]] = {
    links.DOCUMENT: shown_briefly,
    links.TEST: lambda call, test: brief(test, TEST),
}
"""How what proves a control is answered: as in a list."""
WITH_DOCUMENT, WITH_TEST = record(document=DOCUMENT, control=CONTROL), record(test=TEST, control=CONTROL)


def mapped(target_type: str) -> Callable[[Call], list[Json]]:
    def find(call: Call) -> list[Json]:
        return targets(call, call.object["id"], target_type)

    return find


def targets(call: Call, control_id: str, target_type: str) -> list[Json]:
    mappings = links.targets(call, control_id, target_type)
    return [call.sandbox.objects.get(call.tenant.id, KIND_OF[target_type], mapping["target"]) for mapping in mappings]


def add(target_type: str, field: str) -> Callable[[Call], Json]:
    def run(call: Call) -> Json:
        links.connect(call, call.object["id"], target_type, call.body[field])
        control = brief(counted(call), CONTROL)
        target = call.sandbox.objects.get(call.tenant.id, KIND_OF[target_type], call.body[field])
        return {target_type: SHOW[target_type](call, target), "control": control}

    return run


def take_away(target_type: str) -> Callable[[Call], None]:
    def run(call: Call) -> None:
        links.disconnect(call, call.found["control_id"]["id"], target_type, call.object["id"])
        counted(call)

    return run


def counted(call: Call) -> Json:
    """Count a control's evidence anew and keep the numbers."""
    control = call.found["control_id"]
    documents = targets(call, control["id"], links.DOCUMENT)
    tests = targets(call, control["id"], links.TEST)
    numbers = {
        "numDocumentsPassing": sum(document["uploadStatus"] == FINE for document in documents),
        "numDocumentsTotal": len(documents),
        "numTestsPassing": sum(test["status"] == "OK" for test in tests),
        "numTestsTotal": len(tests),
    }
    return saved(call, "controls", control | numbers | {"status": status_of(numbers)})


def status_of(numbers: dict[str, int]) -> str:
    total = numbers["numDocumentsTotal"] + numbers["numTestsTotal"]
    passing = numbers["numDocumentsPassing"] + numbers["numTestsPassing"]
    if not total:
        return "NO_EVIDENCE_MAPPED"
    if not passing:
        return "NOT_STARTED"
    return "COMPLETED" if passing == total else "IN_PROGRESS"


ADD_DOCUMENT = closed(required=["documentId"], documentId=reference("documents"))
ADD_TEST = closed(required=["testId"], testId=reference("tests"))
ROUTES = (
    Route("GET", f"{ONE}/documents", showing(chosen(mapped(links.DOCUMENT), shape=DOCUMENT), addressed)),
    Route("GET", f"{ONE}/tests", chosen(mapped(links.TEST), shape=TEST)),
    Route("POST", f"{ONE}/add-document-to-control", add(links.DOCUMENT, "documentId"), body=ADD_DOCUMENT, answer=WITH_DOCUMENT),
    Route("POST", f"{ONE}/add-test-to-control", add(links.TEST, "testId"), body=ADD_TEST, answer=WITH_TEST),
    Route("DELETE", f"{ONE}/documents/<document_id>", take_away(links.DOCUMENT), status=204),
    Route("DELETE", f"{ONE}/tests/<test_id>", take_away(links.TEST), status=204),
)
