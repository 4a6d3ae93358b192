"""The urls.py of events: which desk hears of which event, and every mirror that the drain can fetch."""

from collections.abc import Sequence

from portal.access_requests import handlers as access_requests
from portal.access_requests.mirror import MIRRORS as ACCESS_REQUESTS
from portal.accounts.mirror import MIRRORS as ACCOUNTS
from portal.connections.services import connection_of_tenant, learn_slug_id
from portal.contracts.mirror import MIRRORS as CONTRACTS
from portal.controls.mirror import MIRRORS as CONTROLS
from portal.documents.mirror import MIRRORS as DOCUMENTS
from portal.engagements import handlers as engagements
from portal.engagements.mirror import MIRRORS as ENGAGEMENTS
from portal.event_log.mirror import MIRRORS as EVENT_LOG
from portal.inbox.services import Handler
from portal.library.mirror import MIRRORS as ANSWER_LIBRARY
from portal.people.mirror import MIRRORS as PEOPLE
from portal.platform_api import Platform
from portal.platform_api.webhooks import AccessRequestChanged, Event
from portal.questionnaires import handlers as questionnaires
from portal.questionnaires.mirror import MIRRORS as QUESTIONNAIRES
from portal.risks.mirror import MIRRORS as RISKS
from portal.sync.mirrors import Mirror
from portal.sync.services import TRUST_CENTER, Effects, wake
from portal.tags.mirror import MIRRORS as TAG_CATEGORIES
from portal.trust_center.mirror import MIRRORS as TRUST_CENTER_CONTENT
from portal.trust_center_activity.mirror import MIRRORS as INTEREST
from portal.vendors import handlers as vendors
from portal.vendors.mirror import MIRRORS as VENDORS


def fetch_trust_center(client: Platform, slug_id: str) -> str:
    """Ask whether the Trust Center an event named is this tenant's: an example message names one that does not exist."""
    client.trust_center(slug_id).get()
    return slug_id


def learn_trust_center(slug_id: str) -> bool:
    """Remember the Trust Center; everything that waited for its id is due now."""
    is_new = learn_slug_id(slug_id)
    if is_new:
        wake()
    return is_new


def with_trust_center(handler: Handler) -> Handler:
    """Let Trust Center events also tell their slugId, which no endpoint tells (platform-api U8)."""

    def handle(events: Sequence[AccessRequestChanged], effects: Effects) -> None:
        connection = connection_of_tenant()
        if connection is not None and not connection.slug_id:
            # Urgent: what the handler marks can only be fetched once the id is known.
            effects.fetch(TRUST_CENTER, [event.slug_id for event in events], urgent=True)
        handler(events, effects)

    return handle


_MIRRORS: tuple[Mirror, ...] = (
    Mirror(
        kind=TRUST_CENTER,
        title="Trust Center",
        area="connection",
        fetch=fetch_trust_center,
        save=learn_trust_center,
        mark_gone=lambda slug_id: False,
    ),
    # What people work with. Rules that act wait until customers, viewers and documents were read, too.
    *QUESTIONNAIRES,
    # They name tags by their ids, and so do the answers of the library.
    *TAG_CATEGORIES,
    *ACCESS_REQUESTS,
    *ACCOUNTS,
    *CONTRACTS,
    # Requests and viewers name its documents by their ids.
    *TRUST_CENTER_CONTENT,
    *ANSWER_LIBRARY,
    *EVENT_LOG,
    *INTEREST,
    # The security program: a tenant may have ten thousand of some of them.
    *PEOPLE,
    *DOCUMENTS,
    *VENDORS,
    *ENGAGEMENTS,
    *RISKS,
    *CONTROLS,
)
MIRRORS: tuple[Mirror, ...] = tuple(sorted(_MIRRORS, key=lambda mirror: mirror.is_log))
"""In the order in which their lists are read. Logs last: a million entries take hours, and no other list waits behind them."""

ROUTES: dict[type[Event], Handler] = {
    **questionnaires.ROUTES,
    **vendors.ROUTES,
    **engagements.ROUTES,
    **{kind: with_trust_center(handler) for kind, handler in access_requests.ROUTES.items()},
}
"""Event class -> handler of all its events in a batch. An event that nobody is named for is kept and shown as not for us."""
