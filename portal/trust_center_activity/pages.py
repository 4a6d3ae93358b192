"""The pages of the room, their fragments and page versions."""

from portal.page_refresh.list_pages import ListDetailPage
from portal.page_refresh.services import area_version, version_at
from portal.tenants.access import TenantRequest

AREAS = ("trust_center_activity", "accounts", "connection", "sync")
LIST, PANE, DESK = "conversations", "conversation", "conversation-desk"


def page_version(request: TenantRequest, fragment: str) -> str:
    """Return the version of a page that shows everything of the room."""
    return version_at(area_version(*AREAS), request.get_full_path(), fragment)


class ConversationPage(ListDetailPage):
    """The conversations, with the one that is open beside them."""

    fragments = (LIST, PANE, DESK)
    list_name, detail_name = "trust_center_activity:conversations", "trust_center_activity:conversation"
