"""Conversations with the Trust Center's chatbot (specification 4.7, platform-api 4.5.11)."""

from portal.sandbox.api.filters import containing
from portal.sandbox.api.lists import everything, listing
from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER

PATH = f"{TRUST_CENTER}/chatbot/conversations"
FILTERS = (containing("searchString", "firstMessage", "userEmail"),)
ROUTES = (
    Route("GET", PATH, listing("conversations", filters=FILTERS)),
    Route("GET", f"{PATH}/<conversation_id>", everything("chatbot-messages", oldest_first=True)),
)
