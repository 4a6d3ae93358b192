"""SLA targets, as they are copied to another tenant."""

from collections.abc import Sequence
from dataclasses import dataclass

from portal.questionnaires.models import ClockSettings, Target, TargetKind
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.targets import Condition, add_target, change_target, set_warning
from portal.tenants.copied_settings import CopiedSettings, NotCopied, register_copied_settings
from portal.tenants.models import Membership

COPIED = (TargetKind.PRIORITY, TargetKind.EVERYTHING)
"""Accounts and tags are known by ids that each tenant has of its own."""


@dataclass(frozen=True)
class Targets:
    """The targets that mean the same in every tenant."""

    warn_percent: int
    hours: dict[tuple[str, int], int]
    """By the kind of a target and its priority."""

    def beside(self, other: "Targets") -> dict[tuple[str, int], int]:
        """Return those that the other one does not have, or has with other hours."""
        return {key: hours for key, hours in self.hours.items() if other.hours.get(key) != hours}


def _rows() -> dict[tuple[str, int], Target]:
    return {(row.kind, row.priority): row for row in Target.objects.filter(kind__in=COPIED).order_by("kind", "-priority")}


def read(member: Membership) -> Targets:
    settings = ClockSettings.objects.first() or ClockSettings()
    return Targets(settings.warn_percent, {key: row.hours for key, row in _rows().items()})


def describe(targets: Targets) -> Sequence[str]:
    lines = [str(Target(kind=kind, priority=priority, hours=hours)) for (kind, priority), hours in targets.hours.items()]
    return (*(lines or ["No targets"]), _warning(targets.warn_percent))


def plan(given: Targets, before: Targets) -> Sequence[str]:
    warning = () if given.warn_percent == before.warn_percent else (_warning(given.warn_percent),)
    new = given.beside(before).items()
    return (*(str(Target(kind=kind, priority=priority, hours=hours)) for (kind, priority), hours in new), *warning)


def apply(given: Targets, member: Membership) -> None:
    before, rows = read(member), _rows()
    try:
        for (kind, priority), hours in given.beside(before).items():
            if row := rows.get((kind, priority)):
                change_target(row, hours=hours, member=member)
            else:
                add_target(Condition(kind, priority), hours=hours, member=member)
    except NotAllowed as refusal:
        raise NotCopied(str(refusal)) from refusal
    if given.warn_percent != before.warn_percent:
        set_warning(given.warn_percent, member=member)


def _warning(percent: int) -> str:
    return f"Warn when {percent}% of the time is left"


def register() -> None:
    register_copied_settings(
        "targets",
        CopiedSettings(
            label="SLA targets",
            note="Targets by priority are added or changed; none is removed. Targets of accounts and tags are not copied.",
            read=read,
            describe=describe,
            plan=plan,
            apply=apply,
            lock=lambda: list(Target.objects.select_for_update()),
        ),
    )
