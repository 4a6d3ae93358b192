"""What the list of documents leaves out: asked for document by document, a few a minute.

The platform takes twenty calls a minute about documents from a grant for integrations (platform-api 1.5); of those, somebody
who opens a document or uploads a file needs some at once.
"""

from django.db import transaction
from django.db.models import F, Min
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.documents.kinds import DETAILS
from portal.documents.models import Document
from portal.sync.models import StaleMark
from portal.sync.services import mark_many
from portal.sync.wake import wake_drain
from portal.tenants.scope import all_tenants

AT_ONCE = 8


@transaction.atomic
def ask_for_details() -> None:
    """Have the rest fetched of the documents that wait for it the longest. Those that wait already count."""
    waiting = set(StaleMark.objects.waiting().filter(kind=DETAILS).values_list("object_id", flat=True))
    rows = Document.objects.with_old_details(timezone.now()).exclude(platform_id__in=waiting)
    rows = rows.order_by("-are_details_old", "details_read_at", "id")
    if ids := list(rows.values_list("platform_id", flat=True)[: max(AT_ONCE - len(waiting), 0)]):
        mark_many(DETAILS, ids)
        wake_drain()


def tenants_with_old_details() -> list[int]:
    """Return the connected tenants that have documents whose details are to be fetched; first those with the oldest."""
    with all_tenants("the sweep looks for the documents of every tenant"):
        # Without a grant nothing is fetched: those of a tenant that left would be the oldest of all, for ever.
        connected = Connection.objects.filter(state=State.ACTIVE).values("tenant_id")
        rows = Document.objects.with_old_details(timezone.now()).filter(tenant__in=connected).order_by()
        oldest_first = rows.values("tenant_id").annotate(oldest=Min("details_read_at"))
        return list(oldest_first.order_by(F("oldest").asc(nulls_first=True)).values_list("tenant_id", flat=True))
