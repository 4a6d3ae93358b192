"""One Trust Center: settings, access requests, viewers, activity (specification 4.7, platform-api 4.5.1 - 4.5.4, 4.5.12)."""

from collections.abc import Iterator
from typing import BinaryIO, Unpack

from portal.platform_api import models
from portal.platform_api.areas.trust_center_documents import ControlCategories, Controls, ResourceCategories, Resources
from portal.platform_api.areas.trust_center_news import Conversations, SubscriberGroups, Subscribers, Updates
from portal.platform_api.areas.trust_center_pages import ComplianceFrameworks, FaqCategories, Faqs, Subprocessors
from portal.platform_api.bodies.common import Pairs
from portal.platform_api.bodies.showcase import TrustCenterChanges
from portal.platform_api.bodies.trust_center import ActivityFilters, ApprovalTerms, ViewerChanges, ViewerTerms
from portal.platform_api.endpoints import SEED, Area, endpoint, paged
from portal.platform_api.models.showcase import DataCollected, Video

ROOT = "/trust-centers/{slug_id}"


class AccessRequests(Area):
    """Open requests: those that nobody has decided yet."""

    name = "trust_center.access_requests"
    root = ROOT + "/access-requests"

    @paged()
    def all(self) -> Iterator[models.AccessRequest]:
        """Walk the open requests."""

    @endpoint("GET", "/{access_request_id}")
    def get(self, access_request_id: str) -> models.AccessRequest:
        """Fetch an open request. Raises NotFound once it is decided."""

    @endpoint("POST", "/{access_request_id}/approve")
    def approve(self, access_request_id: str, **terms: Unpack[ApprovalTerms]) -> None:
        """Grant access. Not idempotent: after an uncertain outcome look before repeating."""

    @endpoint("POST", "/{access_request_id}/deny")
    def deny(self, access_request_id: str, *, reason: str = ...) -> None:
        """Refuse access. Not idempotent; the requester is told by the platform."""


class HistoricalAccessRequests(Area):
    """Decided requests, with their outcome."""

    name = "trust_center.historical_access_requests"
    root = ROOT + "/historical-access-requests"

    @paged()
    def all(self) -> Iterator[models.AccessRequest]:
        """Walk the decided requests."""


class Viewers(Area):
    """Viewers."""

    name = "trust_center.viewers"
    root = ROOT + "/viewers"

    @paged()
    def all(self, *, include_removed: bool | None = None) -> Iterator[models.Viewer]:
        """Walk the viewers, removed ones too unless `include_removed` is False."""

    @endpoint("GET", "/{viewer_id}")
    def get(self, viewer_id: str) -> models.Viewer:
        """Fetch one viewer."""

    @endpoint("POST")
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

    @endpoint("PATCH", "/{viewer_id}", origin=SEED)
    def update(self, viewer_id: str, **changes: Unpack[ViewerChanges]) -> models.Viewer:
        """Change what is named; None means never expires, all resources, no account."""

    @endpoint("DELETE", "/{viewer_id}")
    def delete(self, viewer_id: str) -> None:
        """Take the access away."""

    @endpoint("POST", "/{viewer_id}/send-invite-reminder", origin=SEED)
    def send_invite_reminder(self, viewer_id: str) -> models.Success:
        """Send the invitation again: a real mail, never repeat it by itself."""


class ActivityLog(Area):
    """What viewers and anonymous visitors did."""

    name = "trust_center.activity"
    root = ROOT + "/activity"

    @paged()
    def all(self, **filters: Unpack[ActivityFilters]) -> Iterator[models.Activity]:
        """Walk what happened, or what passes every filter."""


class TrustCenter(Area):
    """One Trust Center, named by its slugId."""

    name = "trust_center"
    root = ROOT
    access_requests: AccessRequests
    historical_access_requests: HistoricalAccessRequests
    viewers: Viewers
    activity: ActivityLog
    resources: Resources
    resource_categories: ResourceCategories
    controls: Controls
    control_categories: ControlCategories
    faqs: Faqs
    faq_categories: FaqCategories
    subprocessors: Subprocessors
    compliance_frameworks: ComplianceFrameworks
    updates: Updates
    subscribers: Subscribers
    subscriber_groups: SubscriberGroups
    conversations: Conversations

    @endpoint("GET")
    def get(self) -> models.TrustCenter:
        """Fetch its settings."""

    @endpoint("PATCH")
    def update(self, **changes: Unpack[TrustCenterChanges]) -> models.TrustCenter:
        """Change what is named."""

    @endpoint("POST", "/favicon", origin=SEED, is_form=True, file_part="favicon")
    def set_favicon(self, file: BinaryIO, *, filename: str) -> models.Success:
        """Give it an icon of its own; that needs a custom domain."""

    @endpoint("GET", "/data-collected", origin=SEED)
    def data_collected(self) -> DataCollected:
        """Fetch what data the tenant says it collects."""

    @endpoint("PUT", "/data-collected", origin=SEED)
    def set_data_collected(self, *, data_collected: Pairs, data_collected_heading: str | None = ...) -> DataCollected:
        """Replace the whole list of `dataCollected` with `status`."""

    @endpoint("PUT", "/videos", origin=SEED)
    def set_videos(self, videos: Pairs) -> list[Video]:
        """Replace the whole list of `url`, `title` and `description`."""
