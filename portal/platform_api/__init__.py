"""A client of the platform's API: OAuth, every call as a typed definition, and the receiving side of webhooks.

It knows the wire and nothing else: no Django, no storage, no tenant. It never sleeps; an answer that says "later" becomes
a TemporaryError, and whoever wanted the call waits.
"""

from portal.platform_api.client import Platform
from portal.platform_api.paging import PAGE_SIZE, Page
from portal.platform_api.transport import Call, TokenSource

__all__ = ["PAGE_SIZE", "Call", "Page", "Platform", "TokenSource"]
