"""Importing groups of an identity provider: every one succeeds or fails by itself (specification 4.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.page_refresh.services import touch_areas
from portal.people.kinds import AREA, GROUP, IDP_GROUP
from portal.people.models import IdpGroup
from portal.people.services.writes import check
from portal.platform_api.areas.people import Groups
from portal.platform_api.errors import UnexpectedAnswer
from portal.platform_api.models import people as remote
from portal.platform_api.paging import collect
from portal.platform_writes.outcomes import OutcomeUnknown, write_and_verify
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership

MAX_GROUPS = 100
"""The platform takes so many in one call."""
SUCCESS = "SUCCESS"
TOLD = (SUCCESS, "ERROR")
"""Where a line says another word, what the platform still offers tells what became of the group."""
NOT_LISTED = "The platform doesn't offer it anymore."
MAY_LACK_ITS_ID = "The platform offers a group without an id, which may be this one. Try again later."
NO_REASON = "The platform gave no reason. You can try again."


@dataclass(frozen=True)
class Import:
    """What became of the groups: the names of those that were imported, and why the others were not."""

    imported: list[str]
    refused: dict[str, str]
    without_id: int
    """How many the platform offers without an id that can be read: nobody can import them."""


@dataclass(frozen=True)
class _Offer:
    """The groups that the platform offers now: their ids, and how many have none that can be read."""

    ids: set[str]
    without_id: int


def import_groups(chosen: Sequence[IdpGroup], *, member: Membership) -> Import:
    """Import groups. What the platform does not offer any more is not sent, so that nothing is imported twice.

    Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member)
    groups, answered = client_for(Urgency.PERSON).groups, list[remote.ImportedGroup]()
    before = _read_offer(groups)

    def offered() -> set[str]:
        now = _read_offer(groups)
        if now.without_id > before.without_id:
            # It may be one of those that were sent: it is still offered, and has lost its id meanwhile.
            raise UnexpectedAnswer("GET", "", message="one of the groups that it offers")
        return now.ids

    wanted = [each.platform_id for each in chosen[:MAX_GROUPS] if each.platform_id in before.ids]
    left = set[str]()
    if wanted:
        try:
            left = write_and_verify(
                write=lambda: answered.extend(groups.import_from_idp(wanted)),
                fetch=offered,
                # Where some are there and some are not, each is told for itself.
                is_done=lambda found: not found >= set(wanted),
            )
        except OutcomeUnknown:
            if not answered:
                fetch_now(*((IDP_GROUP, each) for each in wanted))
                raise
            # Each line of the answer says what became of its group; of a group without one nobody knows.
            left = set(wanted)
    lines = {each.idp_group_id: each for each in answered}
    return _record_outcomes(chosen, wanted, lines, left, member=member, without_id=before.without_id)


def _read_offer(groups: Groups) -> _Offer:
    """Read what the platform offers. What cannot be read is offered all the same, and keeps out no other."""
    found = collect(groups.importable.page)
    if found.circle:
        raise UnexpectedAnswer("GET", "", message="some of the groups that it offers")
    ids = [*(each.id for each in found.items), *(each.id for each in found.unread)]
    return _Offer({*filter(None, ids)}, ids.count(""))


def _record_outcomes(
    chosen: Sequence[IdpGroup],
    wanted: Sequence[str],
    lines: Mapping[str, remote.ImportedGroup],
    left: set[str],
    *,
    member: Membership,
    without_id: int,
) -> Import:
    imported, refused, made = list[IdpGroup](), dict[str, str](), list[str]()
    for row in chosen[:MAX_GROUPS]:
        line = lines.get(row.platform_id)
        if row.platform_id not in wanted:
            refused[str(row)] = MAY_LACK_ITS_ID if without_id else NOT_LISTED
        elif line.status == SUCCESS if line and line.status in TOLD else row.platform_id not in left:
            imported.append(row)
            made += [line.group_id] if line and line.group_id else []
        else:
            reason = (line.message or line.reason or "") if line else ""
            refused[str(row)] = reason or NO_REASON
    with transaction.atomic():
        for row in imported:
            summary = f"Imported the group “{str(row)[:150]}” from the identity provider."
            line = lines.get(row.platform_id)
            target = (GROUP, line.group_id) if line and line.group_id else (IDP_GROUP, row.platform_id)
            record("group.import", target=target, summary=summary, actor=member.user)
        gone = {row.pk for row in chosen if row.platform_id not in wanted and not without_id} | {row.pk for row in imported}
        IdpGroup.objects.filter(pk__in=gone).update(gone_at=timezone.now())
        fetch_now(*((GROUP, each) for each in made))
        touch_areas(AREA)
    return Import([str(row) for row in imported], refused, without_id)
