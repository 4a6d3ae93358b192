"""What an audit shows of the audited organization becomes rows. Runs in the caller's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.engagements.models import Engagement, OpenedList, PartKind
from portal.engagements.services.store_details import store_list
from portal.platform_api.paging import Collected


@dataclass(frozen=True)
class FetchedOrganization:
    """The lists of one audit that were asked for, and when; None for one that the platform does not show."""

    engagement_id: str
    asked_at: datetime
    lists: Mapping[PartKind, Collected[Any] | None]

    @property
    def problem(self) -> str:
        """Say what could not be read; empty when nothing."""
        found = {kind.label: each.problem for kind, each in self.lists.items() if each}
        return "; ".join(f"{label}: {problem}" for label, problem in found.items() if problem)


def store_organization(fetched: FetchedOrganization) -> bool:
    """Make the rows equal to the lists; True when something changed. What is not shown or could not be read stays as it is."""
    engagement = Engagement.objects.select_for_update().filter(platform_id=fetched.engagement_id).first()
    if engagement is None:
        return False
    changed = False
    for kind, found in fetched.lists.items():
        if found is not None:
            changed |= store_list(engagement, kind, found, fetched.asked_at)
        is_shown = found is not None and found.refusal is None
        opened = OpenedList.objects.filter(engagement=engagement, kind=kind)
        changed |= opened.filter(read_at=None).exists() or opened.exclude(is_shown=is_shown).exists()
        opened.update(read_at=fetched.asked_at, is_shown=is_shown)
    return changed
