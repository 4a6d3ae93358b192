"""The page of the requests and its fragments."""

from portal.page_refresh.list_pages import ListDetailPage

LIST, PANE, DESK, BANNER = "access-requests", "access-request", "access-desk", "pending-decisions"


class AccessRequestPage(ListDetailPage):
    """The requests, with the one that is open beside them."""

    fragments = (LIST, PANE, DESK, BANNER)
    list_name, detail_name = "access_requests:list", "access_requests:detail"
