"""The filters of the list of viewers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from portal.access_requests.filters import ALL, LEVEL_LABELS, tabs_of_checked
from portal.access_requests.models import Viewer, ViewerQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.selectors import account_option
from portal.page_refresh.services import cached_by_version
from portal.ui.list_filters import ListFilters, choice, text
from portal.users.dates import in_form

ACTIVE, EXPIRING, ENDED = "active", "expiring", "ended"
TABS = {ACTIVE: "Active", EXPIRING: "Ends in 30 days", ENDED: "Ended", ALL: "All"}
NDAS = {
    "signed": Q(nda_satisfied_at__isnull=False),
    "pending": Q(nda_satisfied_at__isnull=True) & ~Q(nda_provider=""),
    "none": Q(nda_provider=""),
}
NDA_LABELS = {
    "": "Person's NDA",
    "signed": "Person's NDA: settled",
    "pending": "Person's NDA: pending",
    "none": "Person's NDA: none",
}
WITHIN = {"7": "Ends within 7 days", "30": "Ends within 30 days", "90": "Ends within 90 days"}
END_LABELS = {"": "Any end date", **WITHIN, "never": "Never ends", "expired": "Expired", "removed": "Revoked"}
UNKNOWN = "unknown"
SEEN_LABELS = {
    "": "Any activity",
    "30": "Active within 30 days",
    "quiet-90": "Inactive for 90 days",
    "quiet-365": "Inactive for a year",
    UNKNOWN: "Activity not checked yet",
}
"""Of those with access: when they were last active, or got it."""
NO_ACCOUNT, SOME_ACCOUNT = "none", "any"
ACCOUNT_LABELS = {"": "Any account", SOME_ACCOUNT: "Linked to an account", NO_ACCOUNT: "Not linked"}
DAY_OR_MONTH = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?", re.ASCII)


def ends_or_nothing(value: str) -> str:
    return value if value in END_LABELS or span_of(value) else ""


@dataclass(frozen=True, kw_only=True)
class ViewerFilters(ListFilters):
    """Which viewers a page shows."""

    tab: str = choice(TABS, default=ACTIVE, narrows=False)
    q: str = text()
    ends: str = text(clean=ends_or_nothing, label="Access ends", options=END_LABELS)
    """One of the words above, or a month or a day."""
    nda: str = choice(NDA_LABELS, label="Person's NDA")
    seen: str = choice(SEEN_LABELS, label="Activity")
    level: str = choice(LEVEL_LABELS, label="Level")
    account: str = text(label="Account", options=ACCOUNT_LABELS)
    domain: str = text(clean=str.casefold)

    @property
    def order_by(self) -> tuple[str, str]:
        """What ends next comes first; of what has ended, what ended last."""
        return ("-expires_sort", "-id") if self.tab == ENDED else ("expires_sort", "id")

    def narrow(self, rows: ViewerQuerySet, *, now: datetime) -> ViewerQuerySet:
        """Apply everything but the tab: the tabs count what the other filters leave."""
        if self.nda:
            rows = rows.filter(NDAS[self.nda])
        if self.seen == UNKNOWN:
            rows = rows.without_activity_fact()
        elif self.seen:
            since = now - timedelta(days=int(self.seen.removeprefix("quiet-")))
            rows = rows.filter(quiet_since__lte=since) if self.seen.startswith("quiet") else rows.filter(quiet_since__gt=since)
        if self.level:
            rows = rows.filter(access_level=self.level)
        if self.domain:
            rows = rows.filter(domain=self.domain)
        if self.account == SOME_ACCOUNT:
            rows = rows.exclude(account_id="")
        elif self.account:
            # Of a customer whose accounts were merged here, the people of all of them.
            ids = {""} if self.account == NO_ACCOUNT else ids_of_customer(self.account)
            rows = rows.filter(account_id__in=ids)
        return self._ending(rows, now).matching(self.q)

    def _ending(self, rows: ViewerQuerySet, now: datetime) -> ViewerQuerySet:
        match self.ends:
            case "":
                return rows
            case "never":
                return rows.endless()
            case "expired":
                return rows.present().ended(now)
            case "removed":
                return rows.filter(gone_at__isnull=False)
        if span := span_of(self.ends):
            return rows.present().filter(expires_sort__gte=span[0], expires_sort__lt=span[1])
        return rows.expiring(now, timedelta(days=int(self.ends)))

    def in_tab(self, rows: ViewerQuerySet, *, now: datetime) -> ViewerQuerySet:
        match self.tab:
            case "active":
                return rows.active(now)
            case "expiring":
                return rows.expiring(now)
            case "ended":
                return rows.ended(now)
        return rows

    def rows(self, *, now: datetime) -> ViewerQuerySet:
        """Give exactly the viewers that these filters show."""
        return self.in_tab(self.narrow(Viewer.objects.all(), now=now), now=now)

    def unchecked(self, *, now: datetime) -> int:
        """Count those that the activity filter leaves out only because nobody has looked up their activity yet."""
        if not self.seen or self.seen == UNKNOWN:
            return 0
        return replace(self, seen=UNKNOWN).rows(now=now).active(now).count()

    def counted_tabs(self, *, now: datetime, path: str) -> list[dict[str, Any]]:
        key = sha256(replace(self, tab=ACTIVE).query().encode()).hexdigest()
        counts = cached_by_version(AREA, f"viewers:{key}", lambda: self._counts(now))
        found = {tab: number for tab, (number, _) in counts.items()}
        return tabs_of_checked(self.tabs(TABS, found, path=path), {tab: number for tab, (_, number) in counts.items()})

    def _counts(self, now: datetime) -> dict[str, tuple[int, int]]:
        rows = self.narrow(Viewer.objects.all(), now=now)
        narrowed = {key: replace(self, tab=key) for key in TABS}
        return {key: (each.in_tab(rows, now=now).count(), each.unchecked(now=now)) for key, each in narrowed.items()}

    def more_options(self, name: str) -> Mapping[str, str]:
        match name:
            case "ends":
                return self._chosen_end
            case "account":
                return self._chosen_account
        return {}

    @property
    def _chosen_end(self) -> dict[str, str]:
        """A day or month out of the calendar, which no list offers."""
        return {self.ends: f"Ends {ends_label(self.ends)}"} if span_of(self.ends) else {}

    @property
    def _chosen_account(self) -> dict[str, str]:
        """One account, chosen at one of its people."""
        return account_option(self.account) if self.account not in ACCOUNT_LABELS else {}

    def chips(self, *, path: str) -> list[dict[str, str]]:
        """What is in force and was chosen elsewhere, each with the list without it."""
        chips = [{"label": label, "url": path + self.query(ends="")} for label in self._chosen_end.values()]
        chips += [{"label": name, "url": path + self.query(account="")} for name in self._chosen_account.values()]
        if self.domain:
            chips.append({"label": self.domain, "url": path + self.query(domain="")})
        return chips


def span_of(ends: str) -> tuple[datetime, datetime] | None:
    """Read a month or a day as the moments between which it lies, where the reader is."""
    found = DAY_OR_MONTH.fullmatch(ends)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3] or 1)
    try:
        first = date(year, month, day)
        after = first + timedelta(days=1) if found[3] else (first + timedelta(days=31)).replace(day=1)
        return timezone.make_aware(datetime.combine(first, time.min)), timezone.make_aware(datetime.combine(after, time.min))
    except (ValueError, OverflowError):
        return None


def ends_label(ends: str) -> str:
    span = span_of(ends)
    if span is None:
        return END_LABELS.get(ends, "")
    return date_format(timezone.localtime(span[0]), in_form("j F Y" if ends.count("-") > 1 else "F Y"))
