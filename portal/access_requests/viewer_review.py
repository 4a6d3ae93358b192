"""The review of access that may be stale: what each check looks for, and why somebody is in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar, Self

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.timezone import localtime

from portal.access_requests.filters import ListFilters, text
from portal.access_requests.models import NEVER, ContractState, Viewer, ViewerQuerySet
from portal.access_requests.services.settling import AREA
from portal.accounts.models import Account
from portal.interest.models import Activity
from portal.live.services import kept

DAYS = {"30": "Quiet for 30 days", "90": "Quiet for 90 days", "180": "Quiet for 180 days", "365": "Quiet for a year"}
DEFAULT_DAYS = "90"
PENDING, NO_NDA, QUIET, NO_CONTRACT, ENDED, DOMAIN, ENDLESS = "nda", "none", "quiet", "contract", "ended", "domain", "never"


@dataclass(frozen=True, kw_only=True)
class ReviewFilters(ListFilters):
    """Which viewers a review shows: one check is one tab."""

    days: str = ""

    default_tab: ClassVar[str] = PENDING
    labels: ClassVar[Mapping[str, str]] = {
        PENDING: "NDA pending",
        NO_NDA: "No NDA",
        QUIET: "No activity",
        NO_CONTRACT: "No contract",
        ENDED: "Contract ended",
        DOMAIN: "Other domain",
        ENDLESS: "Never ends",
    }
    order_by: ClassVar[tuple[str, str]] = ("expires_sort", "id")

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        tab, days = query.get("tab", ""), query.get("days", "")
        return cls(
            tab=tab if tab in cls.labels else cls.default_tab,
            q=text(query.get("q", "")),
            days=days if days in DAYS and days != DEFAULT_DAYS else "",
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q)

    def quiet_before(self, now: datetime) -> datetime:
        return now - timedelta(days=int(self.days or DEFAULT_DAYS))

    def check(self, now: datetime) -> Q:
        """What the tab looks for."""
        match self.tab:
            case "nda":
                return Q(nda_satisfied_at=None) & ~Q(nda_provider="")
            case "none":
                return Q(nda_provider="")
            case "quiet":
                return Q(quiet_since__lte=self.quiet_before(now))
            case "contract":
                return Q(contract=ContractState.NONE)
            case "ended":
                return Q(contract=ContractState.ENDED)
            case "domain":
                return ~Q(other_domain="")
        return Q(expires_sort=NEVER)

    def rows(self, *, now: datetime) -> ViewerQuerySet:
        """Give exactly the viewers that this check shows."""
        return Viewer.objects.to_review(now).filter(self.check(now)).matching(self.q)

    def counted_tabs(self, *, now: datetime, path: str) -> list[dict[str, Any]]:
        """The checks that anything is known for."""
        key = sha256(replace(self, tab=self.default_tab).query().encode()).hexdigest()
        counts = kept(AREA, f"review:{key}", lambda: self._counts(now))
        hidden = {ENDED} if not counts[ENDED] else set()
        if not kept(AREA, "review:activity", lambda: Activity.objects.exists()):
            hidden.add(QUIET)
        if not kept(AREA, "review:accounts", lambda: Account.objects.exists()):
            hidden |= {NO_CONTRACT, DOMAIN}
        labels = [(key, tab) for key, tab in zip(self.labels, self.tabs(counts, path=path), strict=True)]
        return [tab for key, tab in labels if key not in hidden or tab["is_current"]]

    def _counts(self, now: datetime) -> dict[str, int]:
        return {key: replace(self, tab=key).rows(now=now).count() for key in self.labels}

    def selects(self) -> list[dict[str, Any]]:
        options = [("" if days == DEFAULT_DAYS else days, label) for days, label in DAYS.items()]
        return [{"name": "days", "label": "Quiet for", "value": self.days, "options": options}] if self.tab == QUIET else []

    def reasons(self, viewer: Viewer, *, now: datetime) -> list[str]:
        """Say everything that speaks against an access, whichever check is open."""
        said = []
        if viewer.nda_provider and not viewer.nda_satisfied_at:
            said.append("The NDA is pending")
        if not viewer.nda_provider:
            said.append("No NDA on record")
        if viewer.quiet_since and viewer.quiet_since <= self.quiet_before(now):
            said.append(f"Nothing seen since {date_format(localtime(viewer.quiet_since), 'j M Y')}")
        if viewer.contract in (ContractState.NONE, ContractState.ENDED):
            said.append({"none": "The account has no contract", "ended": "The account's contracts have ended"}[viewer.contract])
        if viewer.other_domain:
            said.append(f"Writes from {viewer.domain}, the account is {viewer.other_domain}")
        if viewer.expires_sort == NEVER:
            said.append("Never ends")
        return said
