"""How issues and risk scenarios are fetched, stored and found gone. No event tells of them: the comparison of the lists does.

Who owns an issue, and which controls a scenario has, costs a call each. So an owner is read once a week, and the controls of a
scenario when somebody opens it.
"""

from portal.platform_api import Page, Platform
from portal.platform_api.models.risks import RiskScenario as RemoteScenario
from portal.risks.kinds import AREA, ISSUE, ISSUE_OWNER, RISK_CONTROLS, RISK_SCENARIO
from portal.risks.models import Issue, IssueOwner, RiskScenario
from portal.risks.services.store import (
    forget_issue_owner,
    owners_to_read,
    store_issue,
    store_issue_owner,
    store_scenario,
)
from portal.risks.services.store_controls import fetch_controls, store_controls
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many


def page_of_scenarios(client: Platform, cursor: str | None) -> Page[RemoteScenario]:
    """Archived ones too: without them every scenario that is archived would look like one that was deleted."""
    return client.risk_scenarios.all.page(cursor, include_ignored=True)


SCENARIOS = mirror_of_copies(
    RISK_SCENARIO,
    RiskScenario,
    area=AREA,
    unread=("payload", "search"),
    title="Risk scenarios",
    fetch=lambda client, scenario_id: client.risk_scenarios.get(scenario_id),
    page=page_of_scenarios,
    save=store_scenario,
)
MIRRORS = (
    mirror_of_copies(
        ISSUE,
        Issue,
        area=AREA,
        unread=("payload", "search"),
        title="Issues",
        fetch=lambda client, issue_id: client.issues.get(issue_id),
        page=lambda client, cursor: client.issues.all.page(cursor),
        before_save=lambda fetched: mark_many(ISSUE_OWNER, owners_to_read(fetched)),
        save=store_issue,
    ),
    Mirror(
        kind=ISSUE_OWNER,
        names=names_of_rows(IssueOwner),
        title="Owners of issues",
        area=AREA,
        fetch=lambda client, user_id: client.users.get(user_id),
        save=store_issue_owner,
        mark_gone=forget_issue_owner,
        has=lambda user_id: IssueOwner.objects.filter(platform_id=user_id).exists(),
        has_events=False,
    ),
    SCENARIOS,
    Mirror(
        kind=RISK_CONTROLS,
        names=names_of_rows(RiskScenario, "payload", "search"),
        title="Controls of risk scenarios",
        area=AREA,
        fetch=fetch_controls,
        save=store_controls,
        # The platform knows no controls of it, so it knows no such scenario either.
        mark_gone=SCENARIOS.mark_gone,
        has=SCENARIOS.has,
        identify=lambda fetched: fetched.scenario_id,
        problem=lambda fetched: fetched.found.problem,
        has_events=False,
    ),
)
