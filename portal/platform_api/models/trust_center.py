"""Objects of a Trust Center (platform-api 4.5)."""

from typing import Any

from portal.platform_api.models.questionnaires import Actor
from portal.platform_api.models.remote import Listed, Moment, Remote


class TrustCenter(Listed):
    """The settings of a Trust Center. Its id is not the slugId."""

    title: str | None = None
    company_description: str | None = None
    privacy_policy: str | None = None
    aws_marketplace_listing: str | None = None
    contact_email: str | None = None
    custom_heading: str | None = None
    custom_domain: str | None = None
    is_public: bool | None = None
    banner_setting: dict[str, Any] | None = None
    custom_theme: dict[str, Any] | None = None
    control_visibility_mode: str | None = None
    creation_date: Moment | None = None
    updated_date: Moment | None = None


class AccessRequest(Listed):
    """A request for access; decided ones carry an outcome (platform-api 4.5.2)."""

    email: str
    name: str = ""
    company_name: str = ""
    reason: str = ""
    requested_resources: list[str] | None = None
    access_level: str = ""
    creation_date: Moment | None = None
    updated_date: Moment | None = None
    outcome: str | None = None
    manual_denial_reason: str | None = None


class Nda(Remote):
    """The non-disclosure agreement of a viewer; without a satisfied date it is pending."""

    provider: str = ""
    satisfied_date: Moment | None = None
    docu_sign: dict[str, Any] | None = None
    one_click: dict[str, Any] | None = None


class Viewer(Listed):
    """A person with access. No field says whether it was taken away: compare listings (platform-api 4.5.3)."""

    email: str
    name: str | None = None
    company_name: str | None = None
    resource_ids: list[str] | None = None
    access_level: str = ""
    nda_info: Nda | None = None
    creation_date: Moment | None = None
    updated_date: Moment | None = None
    expiration_date: Moment | None = None
    added_by_user: Actor | None = None
    customer_trust_account_id: str | None = None
    external_service_associations: list[dict[str, Any]] | None = None


class Resource(Listed):
    """A document."""

    title: str = ""
    file_name: str | None = None
    description: str | None = None
    mime_type: str = ""
    is_public: bool = False
    creation_date: Moment | None = None
    updated_date: Moment | None = None


class Activity(Listed):
    """One thing that somebody did; without a viewer it was an anonymous visitor.

    Only the id has to be there: one odd entry must not stop a list of a million.
    """

    date: Moment | None = None
    event_type: str | None = None
    details: dict[str, Any] | None = None
    viewer_id: str | None = None
    viewer_email: str | None = None
    city: str | None = None
    country_code: str | None = None
