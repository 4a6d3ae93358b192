"""Contracts, under both path families (platform-api 4.2, 7.2)."""

from portal.sandbox.api.errors import Invalid, conflict
from portal.sandbox.api.handlers import creating, deleting, reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.limits import CONTRACTS
from portal.sandbox.objects import equal
from portal.sandbox.schemas import MOMENT, closed, reference, text
from portal.sandbox.store import Json

KIND = "contracts"
PATH, OTHER_PATH = "/customer-trust/contracts", "/contracts"
FORM = Form(
    schema=closed(executedDate=MOMENT, accountId=reference("accounts"), externalId=text(minLength=1, maxLength=256)),
    extensions=(".pdf",),
)
SIGNATURE = b"%PDF-"


def uploaded(call: Call) -> Json:
    """Make what a contract has of its file and its account. Raises Invalid and a 409."""
    assert call.file is not None  # noqa: S101 - the form requires it
    if call.file.stream.read(len(SIGNATURE)) != SIGNATURE:
        raise Invalid.at("body.file", "must be a PDF", value=call.file.filename)
    if "externalId" in call.body:
        check_unused(call, call.body["externalId"])
    return {"name": call.file.filename, "customerTrustAccountId": call.body.get("accountId")}


def check_unused(call: Call, external_id: str) -> None:
    if call.sandbox.objects.all(call.tenant.id, KIND, where=[equal("externalId", external_id)], limit=1):
        raise conflict("A contract with this externalId already exists")


ONE, OTHER_ONE = f"{PATH}/<contract_id>", f"{OTHER_PATH}/<contract_id>"
ROUTES = (
    Route("GET", PATH, listing(KIND), aliases=(OTHER_PATH,)),
    Route(
        "POST",
        PATH,
        creating(KIND, fill=uploaded),
        aliases=(OTHER_PATH,),
        form=FORM,
        status=201,
        refusals=(409,),
        bucket=CONTRACTS,
    ),
    Route("GET", ONE, reading(KIND), aliases=(OTHER_ONE,)),
    Route("DELETE", ONE, deleting(KIND), aliases=(OTHER_ONE,), status=204),
)
