"""The page of the register of viewers and its fragments."""

from portal.page_refresh.list_pages import ListDetailPage

LIST, PANE, DESK = "viewers", "viewer", "viewer-desk"


class ViewerPage(ListDetailPage):
    """The register, with the viewer who is open beside the list."""

    fragments = (LIST, PANE, DESK)
    list_name, detail_name = "access_requests:viewers", "access_requests:viewer"
