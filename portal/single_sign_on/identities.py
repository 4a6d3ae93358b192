from typing import Any

from portal.single_sign_on.claims import Identity


class IdentityOnly:
    """For providers of allauth: what they know of a person is an `Identity`, and nothing but the subject is kept."""

    app: Any

    def serialize(self) -> dict[str, Any]:
        # Two tenants may have the same client id at two issuers.
        return {"id": self.app.provider_id}

    def extract_uid(self, data: Identity) -> str:
        return data.subject

    def extract_extra_data(self, data: Identity) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: Identity) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: Identity) -> list[Any]:
        return []
