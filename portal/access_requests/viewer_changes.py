"""What can be done with people who have access: its words, what the platform is told, and when it has been done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, Self

from django.db import models
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime

from portal.access_requests.models.people import FULL, PARTIAL
from portal.platform_api import models as remote
from portal.platform_api.bodies.trust_center import ViewerChanges
from portal.users.dates import in_form, stored


class ViewerVerb(models.TextChoices):
    """What an approver does with viewers; the labels are those of the buttons."""

    EXTEND = "extend", "Change expiry"
    SHRINK = "shrink", "Reduce access"
    REVOKE = "revoke", "Revoke"
    REMIND = "remind", "Remind"
    LINK = "link", "Link to account"


class Access(Protocol):
    """A viewer, as far as a change looks at one."""

    access_level: str
    resource_ids: list[str] | None


@dataclass(frozen=True, kw_only=True)
class ViewerChange:
    """One verb with what belongs to it. No `expires_at` means never, an empty `account_id` no account."""

    verb: str
    expires_at: datetime | None = None
    resource_ids: Sequence[str] = ()
    resources: Sequence[str] = ()
    """The same documents by name."""
    account_id: str = ""
    account_name: str = ""

    @classmethod
    def from_terms(cls, verb: str, terms: dict[str, Any]) -> Self:
        at = terms.get("expires_at")
        return cls(verb=verb, **{**terms, "expires_at": datetime.fromisoformat(at) if at else None})

    @property
    def terms(self) -> dict[str, Any]:
        """Write it down, without the verb."""
        match self.verb:
            case ViewerVerb.EXTEND:
                return {"expires_at": self.expires_at and self.expires_at.isoformat()}
            case ViewerVerb.SHRINK:
                return {"resource_ids": list(self.resource_ids), "resources": list(self.resources)}
            case ViewerVerb.LINK:
                return {"account_id": self.account_id, "account_name": self.account_name}
        return {}

    @property
    def title(self) -> str:
        """Say what it does, by itself."""
        match self.verb:
            case ViewerVerb.EXTEND:
                return f"Access until {self.day}" if self.expires_at else "Access with no end date"
            case ViewerVerb.SHRINK:
                number = len(self.resource_ids)
                return f"Reduce access to {number} document{'' if number == 1 else 's'}"
            case ViewerVerb.REVOKE:
                return "Revoke access"
            case ViewerVerb.REMIND:
                return "Resend invitation"
        return f"Link to {self.account_name}" if self.account_id else "Unlink from account"

    @property
    def sentence(self) -> str:
        """Say that it was done, without whom: names stay out of the audit, which nobody can erase."""
        match self.verb:
            case ViewerVerb.EXTEND:
                if self.expires_at is None:
                    return "Changed the expiry to never."
                return f"Changed the expiry to {stored(localdate(self.expires_at))}."
            case ViewerVerb.SHRINK:
                return "Reduced access to some documents."
            case ViewerVerb.REVOKE:
                return "Revoked access."
            case ViewerVerb.REMIND:
                return "Had the invitation resent."
        return f"Linked to the account {self.account_name}." if self.account_id else "Unlinked from any account."

    @property
    def day(self) -> str:
        return date_format(localtime(self.expires_at), in_form("j M Y")) if self.expires_at else ""

    def body(self, viewer: Access) -> ViewerChanges:
        """Write it as the platform takes it of one viewer (platform-api 4.5.3)."""
        match self.verb:
            case ViewerVerb.EXTEND:
                return {"expiration_date": self.expires_at}
            case ViewerVerb.SHRINK:
                return {"access_level": PARTIAL, "resource_ids": self.left_to(viewer)}
        return {"customer_trust_account_id": self.account_id or None}

    def left_to(self, viewer: Access) -> list[str]:
        """Name the documents that a viewer keeps: of the chosen ones those that were open before. Shrinking opens none."""
        if viewer.access_level == FULL or viewer.resource_ids is None:
            return list(self.resource_ids)
        return [each for each in viewer.resource_ids if each in self.resource_ids]

    def is_done(self, viewer: Access, found: remote.Viewer) -> bool:
        """Say whether the platform's viewer is as this change wants ours."""
        return bool(self.seen_in(found) == self.wanted(viewer))

    def wanted(self, viewer: Access) -> Any:
        match self.verb:
            case ViewerVerb.EXTEND:
                return self.expires_at
            case ViewerVerb.SHRINK:
                return PARTIAL, set(self.left_to(viewer))
        return self.account_id

    def seen_in(self, found: remote.Viewer) -> Any:
        """Return what the platform has of that which this changes."""
        match self.verb:
            case ViewerVerb.EXTEND:
                return found.expiration_date
            case ViewerVerb.SHRINK:
                return found.access_level, found.resource_ids and set(found.resource_ids)
        return found.customer_trust_account_id or ""

    def seen_here(self, viewer: Any) -> Any:
        """Return what our row has of that."""
        match self.verb:
            case ViewerVerb.EXTEND:
                return viewer.expires_at
            case ViewerVerb.SHRINK:
                return viewer.access_level, viewer.resource_ids and set(viewer.resource_ids)
        return viewer.account_id
