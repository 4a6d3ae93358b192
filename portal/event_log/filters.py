"""The filters of the platform's event log."""

from dataclasses import dataclass

from portal.event_log.models import LogEntry, LogEntryQuerySet
from portal.lib.platform_choices import readable
from portal.ui.list_filters import ListFilters, choice, day, period, text

ORDER = ("-at", "-id")
OURS, OTHERS = "ours", "others"
MAKERS = {"": "Made by anyone", OURS: "Made by this portal", OTHERS: "Not matched to this portal"}


@dataclass(frozen=True, kw_only=True)
class LogFilters(ListFilters):
    """Which entries of the log a page shows."""

    q: str = text()
    actor: str = text(label="Actor")
    made_by: str = choice(MAKERS, label="Made by")
    since: str = day("From")
    until: str = day("to")

    def rows(self) -> LogEntryQuerySet:
        """Return exactly the entries that these filters show. A day is one of the reader's zone."""
        rows: LogEntryQuerySet = LogEntry.objects.filter(period("at", self.since, self.until)).matching(self.q)
        if self.actor:
            rows = rows.filter(actor_type=self.actor)
        if self.made_by:
            rows = rows.filter(match__isnull=self.made_by == OTHERS)
        return rows

    def more_options(self, name: str) -> dict[str, str]:
        if name != "actor":
            return {}
        types = LogEntry.objects.exclude(actor_type="").order_by("actor_type").values_list("actor_type", flat=True).distinct()
        return {"": "Any actor", **{each: readable(each) for each in [*types[:50], *filter(None, [self.actor])]}}
