"""One Trust Center: access requests, viewers, resources, activity (specification 4.7, platform-api 4.5)."""

from collections.abc import Iterator
from typing import Unpack

from portal.platform_api import models
from portal.platform_api.changes import ActivityFilters, ApprovalTerms, ViewerChanges, ViewerTerms
from portal.platform_api.endpoints import Nothing, One, Paged, Several
from portal.platform_api.paging import PAGE_SIZE, Page
from portal.platform_api.transport import Transport
from portal.platform_api.wire import spell_body, spell_query

AREA = "trust_center"
ROOT = "/trust-centers/{}"
REQUESTS = ROOT + "/access-requests"
HISTORICAL = ROOT + "/historical-access-requests"
VIEWERS = ROOT + "/viewers"

GET = One(AREA, "get", "GET", ROOT, models.TrustCenter)
LIST_REQUESTS = Paged(AREA, "list_access_requests", "GET", REQUESTS, models.AccessRequest)
GET_REQUEST = One(AREA, "get_access_request", "GET", REQUESTS + "/{}", models.AccessRequest)
APPROVE_REQUEST = Nothing(AREA, "approve_access_request", "POST", REQUESTS + "/{}/approve")
DENY_REQUEST = Nothing(AREA, "deny_access_request", "POST", REQUESTS + "/{}/deny")
LIST_HISTORICAL = Paged(AREA, "list_historical_access_requests", "GET", HISTORICAL, models.AccessRequest)
LIST_VIEWERS = Paged(AREA, "list_viewers", "GET", VIEWERS, models.Viewer)
CREATE_VIEWER = One(AREA, "create_viewer", "POST", VIEWERS, models.Viewer)
GET_VIEWER = One(AREA, "get_viewer", "GET", VIEWERS + "/{}", models.Viewer)
UPDATE_VIEWER = One(AREA, "update_viewer", "PATCH", VIEWERS + "/{}", models.Viewer)
DELETE_VIEWER = Nothing(AREA, "delete_viewer", "DELETE", VIEWERS + "/{}")
REMIND_VIEWER = One(AREA, "send_invite_reminder", "POST", VIEWERS + "/{}/send-invite-reminder", models.Reminder)
LIST_RESOURCES = Several(AREA, "list_resources", "GET", ROOT + "/resources", models.Resource)
GET_RESOURCE = One(AREA, "get_resource", "GET", ROOT + "/resources/{}", models.Resource)
LIST_ACTIVITY = Paged(AREA, "list_activity", "GET", ROOT + "/activity", models.Activity)


class Part:
    """A part of one Trust Center."""

    def __init__(self, transport: Transport, *, slug_id: str) -> None:
        self._transport = transport
        self._slug_id = slug_id


class AccessRequests(Part):
    """Open requests: those that nobody has decided yet."""

    def page(self, cursor: str | None = None, *, page_size: int = PAGE_SIZE) -> Page[models.AccessRequest]:
        return LIST_REQUESTS.page(self._transport, self._slug_id, cursor=cursor, page_size=page_size)

    def all(self) -> Iterator[models.AccessRequest]:
        return LIST_REQUESTS.all(self._transport, self._slug_id)

    def get(self, access_request_id: str) -> models.AccessRequest:
        """Fetch an open request. Raises NotFound once it is decided."""
        return GET_REQUEST(self._transport, self._slug_id, access_request_id)

    def approve(self, access_request_id: str, **terms: Unpack[ApprovalTerms]) -> None:
        """Grant access. Not idempotent: after an uncertain outcome look before repeating."""
        APPROVE_REQUEST(self._transport, self._slug_id, access_request_id, json=spell_body(terms))

    def deny(self, access_request_id: str, *, reason: str = "") -> None:
        """Refuse access. Not idempotent; the requester is told by the platform."""
        body = {"reason": reason} if reason else {}
        DENY_REQUEST(self._transport, self._slug_id, access_request_id, json=body)


class HistoricalAccessRequests(Part):
    """Decided requests, with their outcome."""

    def page(self, cursor: str | None = None, *, page_size: int = PAGE_SIZE) -> Page[models.AccessRequest]:
        return LIST_HISTORICAL.page(self._transport, self._slug_id, cursor=cursor, page_size=page_size)

    def all(self) -> Iterator[models.AccessRequest]:
        return LIST_HISTORICAL.all(self._transport, self._slug_id)


class Viewers(Part):
    """People with access. Listings name removed ones too unless `include_removed` is False."""

    def page(
        self, cursor: str | None = None, *, page_size: int = PAGE_SIZE, include_removed: bool | None = None
    ) -> Page[models.Viewer]:
        params = spell_query({"include_removed": include_removed})
        return LIST_VIEWERS.page(self._transport, self._slug_id, cursor=cursor, page_size=page_size, params=params)

    def all(self, *, include_removed: bool | None = None) -> Iterator[models.Viewer]:
        params = spell_query({"include_removed": include_removed})
        return LIST_VIEWERS.all(self._transport, self._slug_id, params=params)

    def get(self, viewer_id: str) -> models.Viewer:
        return GET_VIEWER(self._transport, self._slug_id, viewer_id)

    def create(
        self,
        *,
        email: str,
        name: str,
        company_name: str,
        is_nda_required: bool,
        access_level: str,
        **terms: Unpack[ViewerTerms],
    ) -> models.Viewer:
        """Let a person in."""
        person = {"email": email, "name": name, "company_name": company_name}
        body = {**person, "is_nda_required": is_nda_required, "access_level": access_level, **terms}
        return CREATE_VIEWER(self._transport, self._slug_id, json=spell_body(body))

    def update(self, viewer_id: str, **changes: Unpack[ViewerChanges]) -> models.Viewer:
        """Change what is named; None means never expires, all resources, no account."""
        return UPDATE_VIEWER(self._transport, self._slug_id, viewer_id, json=spell_body(changes))

    def delete(self, viewer_id: str) -> None:
        """Take the access away."""
        DELETE_VIEWER(self._transport, self._slug_id, viewer_id)

    def send_invite_reminder(self, viewer_id: str) -> models.Reminder:
        """Send the invitation again: a real mail, never repeat it by itself."""
        return REMIND_VIEWER(self._transport, self._slug_id, viewer_id)


class Resources(Part):
    """The documents of the Trust Center."""

    def all(self) -> list[models.Resource]:
        return LIST_RESOURCES(self._transport, self._slug_id)

    def get(self, resource_id: str) -> models.Resource:
        return GET_RESOURCE(self._transport, self._slug_id, resource_id)


class ActivityLog(Part):
    """What viewers and anonymous visitors did."""

    def page(
        self, cursor: str | None = None, *, page_size: int = PAGE_SIZE, **filters: Unpack[ActivityFilters]
    ) -> Page[models.Activity]:
        params = spell_query(filters)
        return LIST_ACTIVITY.page(self._transport, self._slug_id, cursor=cursor, page_size=page_size, params=params)

    def all(self, **filters: Unpack[ActivityFilters]) -> Iterator[models.Activity]:
        return LIST_ACTIVITY.all(self._transport, self._slug_id, params=spell_query(filters))


class TrustCenter(Part):
    """One Trust Center, named by its slugId."""

    def __init__(self, transport: Transport, *, slug_id: str) -> None:
        super().__init__(transport, slug_id=slug_id)
        self.access_requests = AccessRequests(transport, slug_id=slug_id)
        self.historical_access_requests = HistoricalAccessRequests(transport, slug_id=slug_id)
        self.viewers = Viewers(transport, slug_id=slug_id)
        self.resources = Resources(transport, slug_id=slug_id)
        self.activity = ActivityLog(transport, slug_id=slug_id)

    def get(self) -> models.TrustCenter:
        return GET(self._transport, self._slug_id)
