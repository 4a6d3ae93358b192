"""Accounts, contracts, deletion requests and users (platform-api 4.1.7, 4.1.8, 4.2, 4.6)."""

from typing import Any

from portal.platform_api.models.remote import Listed, Moment, Remote


class NdaDetails(Remote):
    """The non-disclosure agreement of an account: SIGNED, NOT_REQUIRED or INCOMPLETE."""

    nda_status: str = ""
    nda_satisfied_date: Moment | None = None


class Account(Listed):
    """A customer-trust account."""

    name: str = ""
    email_domain: str = ""
    nda_details: NdaDetails | None = None
    access_config: dict[str, Any] | None = None
    custom_fields: list[dict[str, Any]] | None = None
    tags_by_category: list[dict[str, Any]] | None = None
    created_date: Moment | None = None
    updated_date: Moment | None = None


class Contract(Listed):
    """A contract. The file itself cannot be fetched."""

    name: str = ""
    external_id: str | None = None
    customer_trust_account_id: str | None = None
    executed_date: Moment | None = None
    creation_date: Moment | None = None


class User(Listed):
    """A user of the tenant on the platform."""

    email: str = ""
    display_name: str = ""
    is_active: bool = True
