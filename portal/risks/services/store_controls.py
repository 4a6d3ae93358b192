"""The controls of one risk scenario: asked for when somebody opens it, and made into rows."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from portal.lib.storable import storable_text
from portal.platform_api import Platform
from portal.platform_api.models import risks as remote
from portal.platform_api.paging import Collected, collect
from portal.risks.kinds import RISK_CONTROLS
from portal.risks.models import RiskControl, RiskScenario
from portal.risks.models.choices import MAX_WORD_LENGTH
from portal.sync.freshness import ask_for

READ_EVERY = timedelta(minutes=15)
"""Whoever opens a scenario sees controls that are no older, or sees them come."""


@dataclass(frozen=True)
class FetchedControls:
    """The controls of one scenario as far as they could be read, and when the platform was asked for them."""

    scenario_id: str
    asked_at: datetime
    found: Collected[remote.RiskControl]


def fetch_controls(client: Platform, scenario_id: str) -> FetchedControls:
    asked_at = timezone.now()
    listed = client.risk_scenarios.controls.all
    return FetchedControls(scenario_id, asked_at, collect(lambda cursor: listed.page(cursor, scenario_id)))


def ask_for_controls(scenario: RiskScenario) -> None:
    """Have the controls of a scenario read when they are old, because somebody looks at them."""
    if scenario.gone_at is None and scenario.controls_are_old(timezone.now() - READ_EVERY):
        ask_for(RISK_CONTROLS, scenario.platform_id)


def store_controls(fetched: FetchedControls) -> bool:
    """Make the rows of one scenario equal to its list; True when they changed, or were read for the first time."""
    scenario = RiskScenario.objects.select_for_update().filter(platform_id=fetched.scenario_id).first()
    if scenario is None or not scenario.controls_are_old(fetched.asked_at):
        return False
    wanted = {each.id: storable_text(each.control_type or "")[:MAX_WORD_LENGTH] for each in fetched.found.items}
    rows = RiskControl.objects.filter(scenario=scenario)
    before = dict(rows.values_list("control_id", "control_type"))
    is_first = scenario.controls_read_at is None
    scenario.controls_read_at = fetched.asked_at
    scenario.save(update_fields=["controls_read_at"])
    # What could not be read may well be there.
    gone = set(before) - set(wanted) if not fetched.found.problem else set()
    new = {each: kind for each, kind in wanted.items() if before.get(each) != kind}
    rows.filter(control_id__in=gone).delete()
    for control_id, kind in new.items():
        RiskControl.objects.update_or_create(scenario=scenario, control_id=control_id, defaults={"control_type": kind})
    return is_first or bool(gone or new)
