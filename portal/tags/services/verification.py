"""Asking the platform which categories are used in a context: the one place that tells how a switch stands."""

from django.utils import timezone

from portal.connections.error_messages import error_message
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound, ValidationFailed
from portal.tags.services.store import FetchedContext


def fetch_context(client: Platform, context: str) -> FetchedContext:
    """Read the list of a context. One that the platform does not know (any more) must not stop the others."""
    asked_at = timezone.now()
    try:
        found = client.tag_categories.all(product_context_ids_matches_any=[context])
    except (NotFound, ValidationFailed) as error:
        return FetchedContext(
            context, asked_at, (), problem=f"The platform does not say what is used here. {error_message(error)}"
        )
    return FetchedContext(context, asked_at, found)
