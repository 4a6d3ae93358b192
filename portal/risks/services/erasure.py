"""People who own issues and risk scenarios: found and erased when a deletion request asks for it."""

from functools import partial

from django.db.models import Q

from portal.page_refresh.services import touch_areas
from portal.platform_api.models import risks as remote
from portal.risks.kinds import AREA
from portal.risks.models import Issue, IssueOwner, IssueOwnerQuerySet, RiskScenario, RiskScenarioQuerySet
from portal.risks.services.store import search_of
from portal.tenants.erased_people import without_address
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding


def erase_owners(rows: IssueOwnerQuerySet) -> None:
    """Keep the ids alone: issues go on naming them."""
    rows.update(name="", folded_email="")
    touch_areas(AREA)


def erase_from_scenarios(rows: RiskScenarioQuerySet, email: str) -> None:
    """Take an owner out of these scenarios; the risk is the company's, and stays."""
    for row in rows.select_for_update().order_by("pk"):
        row.owner = row.folded_owner = ""
        row.payload = without_address(row.payload, email)
        row.search = search_of(row.risk_id, row.title, "", remote.RiskScenario.read(row.payload))
        row.save(update_fields=["owner", "folded_owner", "payload", "search"])
    touch_areas(AREA)


def register_personal_data() -> None:
    register_holding(
        "Owners of issues",
        rows=lambda email: IssueOwner.objects.of_person(fold(email)),
        erase=erase_owners,
        addresses=lambda: each_once(IssueOwner.objects.exclude(folded_email="")),
    )
    register_holding(
        "Owners of risk scenarios",
        rows=lambda email: RiskScenario.objects.of_person(fold(email)),
        erase=erase_from_scenarios,
        addresses=lambda: each_once(RiskScenario.objects.exclude(folded_owner=""), "folded_owner"),
        keeps_rows=True,
    )
    changed = partial(touch_areas, AREA)
    register_payloads("People named in issues", Payloads(kind=Issue, changed=changed))
    named = Payloads(kind=RiskScenario, changed=changed, own=lambda email: Q(folded_owner=fold(email)))
    register_payloads("People named in risk scenarios", named)
