"""The pages of the room, their pieces and version stamps."""

from portal.live.places import ListPlace
from portal.live.services import stamp, stamp_at
from portal.tenants.access import TenantRequest

AREAS = ("interest", "accounts", "connection", "sync")
LIST, PANE, DESK = "conversations", "conversation", "conversation-desk"


def page_stamp(request: TenantRequest, piece: str) -> str:
    """Return the version of a page that shows everything of the room."""
    return stamp_at(stamp(*AREAS), request.get_full_path(), piece)


class ConversationPlace(ListPlace):
    """The conversations, with the one that is open beside them."""

    pieces = (LIST, PANE, DESK)
    list_name, detail_name = "interest:conversations", "interest:conversation"
