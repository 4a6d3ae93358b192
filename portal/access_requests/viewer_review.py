"""The review of access that may be stale: what each check looks for, and why somebody is in it."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.timezone import localtime

from portal.access_requests.filters import tabs_of_checked
from portal.access_requests.models import NEVER, ContractState, Viewer, ViewerQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.viewer_checks import FOR_ACTIVITY, FOR_DOMAINS
from portal.accounts.models import Account
from portal.page_refresh.services import cached_by_version
from portal.sync.selectors import kinds_read
from portal.trust_center_activity.models import Activity
from portal.ui.list_filters import ListFilters, choice, text
from portal.users.dates import in_form

DAYS = {
    "30": "Inactive for 30 days",
    "": "Inactive for 90 days",
    "180": "Inactive for 180 days",
    "365": "Inactive for a year",
}
DEFAULT_DAYS = 90
PENDING, NO_NDA, QUIET, NO_CONTRACT, ENDED, DOMAIN, ENDLESS = "nda", "none", "quiet", "contract", "ended", "domain", "never"


CHECKS = {
    PENDING: "Person's NDA pending",
    NO_NDA: "Person's NDA missing",
    QUIET: "No activity",
    NO_CONTRACT: "No contract",
    ENDED: "Contract ended",
    DOMAIN: "Domain mismatch",
    ENDLESS: "Never ends",
}


@dataclass(frozen=True, kw_only=True)
class ReviewFilters(ListFilters):
    """Which viewers a review shows: one check is one tab."""

    tab: str = choice(CHECKS, default=PENDING, narrows=False)
    q: str = text()
    days: str = choice(DAYS, label="Inactive for", narrows=False)

    order_by: ClassVar[tuple[str, str]] = ("expires_sort", "id")

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

    def unchecked(self, *, now: datetime, read: frozenset[str]) -> ViewerQuerySet:
        """Give the viewers of whom the tab cannot say anything yet: what it goes by was not looked up (guarantee R3)."""
        rows = Viewer.objects.to_review(now).matching(self.q)
        match self.tab:
            case "quiet":
                return rows.without_activity_fact()
            case "contract" | "ended":
                return rows.filter(contract="")
            case "domain":
                return rows.filter(checked_at=None) if read >= FOR_DOMAINS else rows
        return rows.none()

    def counted_tabs(self, *, now: datetime, path: str) -> list[dict[str, Any]]:
        """The checks, each with how many it finds and how many were not looked at; without those that could find nobody."""
        key = sha256(replace(self, tab=PENDING).query().encode()).hexdigest()
        read = kinds_read()
        counts = cached_by_version(AREA, f"review:{key}:{read >= FOR_DOMAINS}", lambda: self._counts(now, read))
        hidden = {ENDED} if counts[ENDED] == (0, 0) else set()
        if read >= FOR_ACTIVITY and not cached_by_version(AREA, "review:activity", lambda: Activity.objects.exists()):
            hidden.add(QUIET)
        if read >= FOR_DOMAINS and not cached_by_version(AREA, "review:accounts", lambda: Account.objects.exists()):
            hidden |= {NO_CONTRACT, ENDED, DOMAIN}
        found = {key: number for key, (number, _) in counts.items()}
        tabs = tabs_of_checked(self.tabs(CHECKS, found, path=path), {key: number for key, (_, number) in counts.items()})
        return [tab for tab in tabs if tab["key"] not in hidden or tab["is_current"]]

    def _counts(self, now: datetime, read: frozenset[str]) -> dict[str, tuple[int, int]]:
        narrowed = {key: replace(self, tab=key) for key in CHECKS}
        return {key: (each.rows(now=now).count(), each.unchecked(now=now, read=read).count()) for key, each in narrowed.items()}

    def selects(self) -> list[dict[str, Any]]:
        return super().selects() if self.tab == QUIET else []

    def reasons(self, viewer: Viewer, *, now: datetime) -> list[str]:
        """Say everything that speaks against an access, whichever check is open."""
        said = []
        if viewer.nda_provider and not viewer.nda_satisfied_at:
            said.append("This person's NDA is pending")
        if not viewer.nda_provider:
            said.append("This person has no NDA")
        if viewer.quiet_since and viewer.quiet_since <= self.quiet_before(now):
            said.append(f"No activity since {date_format(localtime(viewer.quiet_since), in_form('j M Y'))}")
        if viewer.contract in (ContractState.NONE, ContractState.ENDED):
            said.append({"none": "The account has no contract", "ended": "The account's contracts have ended"}[viewer.contract])
        if viewer.other_domain:
            said.append(f"Email domain is {viewer.domain}, the account's is {viewer.other_domain}")
        if viewer.expires_sort == NEVER:
            said.append("Never ends")
        missing = [name for name, is_missing in self._missing(viewer) if is_missing]
        return [*said, f"Not checked yet: {', '.join(missing)}"] if missing else said

    @staticmethod
    def _missing(viewer: Viewer) -> list[tuple[str, bool]]:
        return [("activity", viewer.quiet_since is None), ("contract", viewer.contract == "")]
