"""How approved answers get into the answer library (platform-api 4.1.4)."""

from portal.sandbox.objects import Clause, equal
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.store import Json
from portal.sandbox.values import moment, new_id

KIND = "answers"
APPROVED = Clause(sql="json_extract(body, '$.approvedBy') IS NOT NULL")


def keep_approved(sandbox: Sandbox, tenant_id: str, questionnaire_id: str) -> None:
    """Copy a questionnaire's approved answers into the library; a question that it knows gets the new answer."""
    for response in sandbox.objects.all(tenant_id, "responses", parent_id=questionnaire_id, where=[APPROVED]):
        answer = words_of(response)
        if answer:
            keep(sandbox, tenant_id, question=response["question"], answer=answer)


def keep(sandbox: Sandbox, tenant_id: str, *, question: str, answer: str) -> None:
    now = moment(sandbox.clock.now())
    known = sandbox.objects.all(tenant_id, KIND, where=[equal("question", question)], limit=1)
    if known:
        sandbox.objects.save(tenant_id, KIND, known[0] | {"answer": answer, "lastUpdated": now})
        return
    entry: Json = {
        "id": new_id(),
        "question": question,
        "answer": answer,
        "ownerAssignment": None,
        "expirationStatus": "CURRENT",
        "expirationDate": None,
        "lastVerified": None,
        "lastUpdated": now,
        "tags": [],
    }
    sandbox.objects.add(tenant_id, KIND, entry)


def words_of(response: Json) -> str:
    """Write the parts of an answer as one text."""
    values = (value for value in response.get("answerPartsValues", {}).values() if value is not None)
    return " ".join(", ".join(value) if isinstance(value, list) else str(value) for value in values)
