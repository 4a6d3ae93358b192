from portal.first_hour.views.home import home
from portal.first_hour.views.steps import connect, connected, consent, hours, invite, trust_center, webhooks
from portal.first_hour.views.strip import dismiss, strip

__all__ = [
    "connect",
    "connected",
    "consent",
    "dismiss",
    "home",
    "hours",
    "invite",
    "strip",
    "trust_center",
    "webhooks",
]
