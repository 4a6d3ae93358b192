"""People of this desk who belong to no account: how many of each mail domain, and how they are linked to one."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from portal.access_requests.facts import Listed
from portal.access_requests.kinds import REQUEST, VIEWER
from portal.access_requests.models import AccessRequest, Viewer
from portal.access_requests.models.people import PersonQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.access_requests.services.viewer_changes import NotPossible
from portal.access_requests.services.viewer_runs import start_viewer_run
from portal.access_requests.viewer_changes import ViewerChange, ViewerVerb
from portal.accounts.links import Link
from portal.accounts.models import Account
from portal.accounts.unmatched_people import NotAttached, People
from portal.platform_writes.models import MAX_ITEMS
from portal.tenants.models import Membership

UNLINKED = Q(account_id="", gone_at=None)


def viewers_by_domain() -> Mapping[str, int]:
    return _by_domain(Viewer.objects.active(timezone.now()).filter(UNLINKED))


def pending_by_domain() -> Mapping[str, int]:
    return _by_domain(AccessRequest.objects.waiting())


def _by_domain(rows: PersonQuerySet[Any]) -> Mapping[str, int]:
    listed = Listed.load()
    counted = rows.exclude(domain="").order_by().values_list("domain").annotate(number=Count("id"))
    return {domain: number for domain, number in counted if not listed.is_free_mail(domain)}


def attach(domain: str, account: Account, member: Membership) -> Link:
    """Have the viewers of a domain linked to its account, as a run. Raises NotAttached."""
    rows = Viewer.objects.active(timezone.now()).filter(UNLINKED, domain=domain).order_by("expires_sort", "id")
    change = ViewerChange(verb=ViewerVerb.LINK, account_id=account.platform_id, account_name=str(account))
    try:
        run = start_viewer_run(change, member=member, viewers=list(rows.values_list("pk", flat=True)[:MAX_ITEMS]))
    except NotPossible as refusal:
        raise NotAttached(str(refusal)) from refusal
    return Link("access_requests:viewer_run", (str(run.pk),))


VIEWERS = People(
    nouns=("viewer", "viewers"),
    area=AREA,
    kind=VIEWER,
    count=viewers_by_domain,
    place=lambda domain: Link("access_requests:viewers", query={"account": "none", "domain": domain}),
    attach=attach,
)
ASKING = People(
    nouns=("pending request", "pending requests"),
    area=AREA,
    kind=REQUEST,
    count=pending_by_domain,
    place=lambda domain: Link("access_requests:list", query={"q": domain}),
)
