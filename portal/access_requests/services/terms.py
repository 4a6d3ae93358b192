"""What an approval grants, as a person or a rule says it, as it is kept, and as the platform is told."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.access_requests.documents import resource_titles
from portal.access_requests.models import FULL, Decision
from portal.platform_api.bodies.trust_center import ApprovalTerms


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What an approval grants. Everything is said to the platform, nothing is left to its defaults (platform-api 4.5.2)."""

    access_level: str
    resource_ids: tuple[str, ...] = ()
    expires_at: datetime | None = None
    is_nda_required: bool = True

    def kept(self) -> dict[str, Any]:
        """As a decision keeps it: with the names that the documents have now."""
        resource_ids = [] if self.access_level == FULL else list(self.resource_ids)
        titles = resource_titles(resource_ids)
        return {
            "access_level": self.access_level,
            "resource_ids": resource_ids,
            "resources": [titles[resource_id] for resource_id in resource_ids],
            "expires_at": self.expires_at.isoformat() if self.expires_at else None,
            "is_nda_required": self.is_nda_required,
        }


def said(decision: Decision) -> ApprovalTerms:
    """What the platform is told of an approval."""
    terms = decision.terms
    body: ApprovalTerms = {"access_level": terms["access_level"], "is_nda_required": terms["is_nda_required"]}
    if terms["access_level"] != FULL:
        body["resource_ids"] = terms["resource_ids"]
    if decision.expires_at:
        body["expiration_date"] = decision.expires_at
    return body
