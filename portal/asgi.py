"""The same site for ASGI servers."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
os.environ.setdefault("PORTAL_PROCESS", "web")

from django.core.asgi import get_asgi_application

application = get_asgi_application()

from portal.connections.checks import check_at_start
from portal.worker_monitoring.signals import monitor_from_now_on

check_at_start()
monitor_from_now_on()
