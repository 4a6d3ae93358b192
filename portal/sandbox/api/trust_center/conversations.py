"""Conversations with the Trust Center's chatbot (specification 4.7, platform-api 4.5.11)."""

from portal.sandbox.api.lists import everything, listing
from portal.sandbox.api.route import Parameter, Query, Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import STRING

PATH = f"{TRUST_CENTER}/chatbot/conversations"


def said(query: Query) -> Clause | None:
    """Keep conversations with a text in one of their messages, upper or lower case."""
    text = query.get("searchString")
    inside = (
        "SELECT 1 FROM objects m WHERE m.parent_id = objects.id AND instr(folded(json_extract(m.body, '$.message')), ?) > 0"
    )
    return Clause(sql=f"EXISTS ({inside})", values=(text.casefold(),)) if text else None


FILTERS = (Parameter(name="searchString", schema=STRING, read=said),)
ROUTES = (
    Route("GET", PATH, listing("conversations", filters=FILTERS)),
    Route("GET", f"{PATH}/<conversation_id>", everything("chatbot-messages", oldest_first=True)),
)
