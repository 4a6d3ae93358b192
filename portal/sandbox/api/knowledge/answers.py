"""The answer library (platform-api 4.4.2)."""

from portal.sandbox.api.filters import containing, tagged
from portal.sandbox.api.handlers import creating, deleting, reading, updating
from portal.sandbox.api.knowledge.upkeep import DATES, OWNER, VERIFY, kept, verify
from portal.sandbox.api.lists import chosen, clauses, latest_first
from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.knowledge import ANSWER
from portal.sandbox.schemas import MOMENT, NAME, TAGS, closed, nullable
from portal.sandbox.store import Json

KIND = "answers"
FILTERS = (containing("q", "question", "answer"), *DATES, tagged("matchesTags", is_grouped=False))
CREATE = closed(
    required=["question", "answer"],
    question=NAME,
    answer=NAME,
    ownerAssignment=OWNER,
    expirationDate=MOMENT,
    tags=TAGS,
)
PATCH = closed(question=NAME, answer=NAME, ownerAssignment=nullable(OWNER), expirationDate=nullable(MOMENT), tags=TAGS)


def find(call: Call) -> list[Json]:
    found = call.sandbox.objects.all(call.tenant.id, KIND, where=clauses(FILTERS, call.query))
    return latest_first(found, "lastUpdated")


PATH = "/knowledge-base/answer-library"
ONE = f"{PATH}/<answer_id>"
ROUTES = (
    Route("GET", PATH, chosen(find, shape=ANSWER, filters=FILTERS)),
    Route("POST", PATH, creating(KIND, fill=kept), body=CREATE),
    Route("GET", ONE, reading(KIND)),
    Route("PATCH", ONE, updating(KIND, fill=kept), body=PATCH),
    Route("DELETE", ONE, deleting(KIND), status=204),
    Route("POST", f"{ONE}/verify", lambda call: verify(call, KIND), body=VERIFY, may_omit_body=True, answer=ANSWER),
)
