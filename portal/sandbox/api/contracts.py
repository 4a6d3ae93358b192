"""Contracts, under both path families (platform-api 4.2, 7.2)."""

from portal.sandbox.api.errors import Invalid, conflict
from portal.sandbox.api.lists import deleting, listing, reading
from portal.sandbox.api.people import check_account
from portal.sandbox.api.route import Call, Form, Route
from portal.sandbox.api.schemas import MOMENT, STRING, closed
from portal.sandbox.limits import CONTRACTS
from portal.sandbox.objects import Clause
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id, normalised

KIND = "contracts"
PATH, OTHER_PATH = "/customer-trust/contracts", "/contracts"
FORM = Form(
    schema=closed(executedDate=MOMENT, accountId=STRING, externalId={"type": "string", "minLength": 1, "maxLength": 256}),
    extensions=(".pdf",),
)
SIGNATURE = b"%PDF-"


def create(call: Call) -> Json:
    assert call.file is not None  # noqa: S101 - the form requires it
    if call.file.stream.read(len(SIGNATURE)) != SIGNATURE:
        raise Invalid.at("body.file", "must be a PDF", value=call.file.filename)
    check_account(call, call.body.get("accountId"))
    external_id = call.body.get("externalId")
    if external_id is not None:
        check_unused(call, external_id)
    contract = {
        "id": new_id(),
        "externalId": external_id,
        "name": call.file.filename,
        "customerTrustAccountId": call.body.get("accountId"),
        "executedDate": normalised(call.body.get("executedDate")),
        "creationDate": moment(call.sandbox.clock.now()),
    }
    return call.sandbox.objects.add(call.tenant.id, KIND, contract)


def check_unused(call: Call, external_id: str) -> None:
    same = Clause(sql="json_extract(body, '$.externalId') = ?", values=(external_id,))
    if call.sandbox.objects.all(call.tenant.id, KIND, where=[same], limit=1):
        raise conflict("A contract with this externalId already exists")


ONE, OTHER_ONE = f"{PATH}/<contract_id>", f"{OTHER_PATH}/<contract_id>"
ROUTES = (
    Route(method="GET", path=PATH, aliases=(OTHER_PATH,), handler=listing(KIND)),
    Route(method="POST", path=PATH, aliases=(OTHER_PATH,), handler=create, form=FORM, status=201, bucket=CONTRACTS),
    Route(method="GET", path=ONE, aliases=(OTHER_ONE,), handler=reading(KIND, by="contract_id")),
    Route(method="DELETE", path=ONE, aliases=(OTHER_ONE,), handler=deleting(KIND, by="contract_id"), status=204),
)
