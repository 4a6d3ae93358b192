"""The stream process: `granian --interface asginl portal.asgi:application`. It tells open pages of changes at `/changes/`.

Every other address is answered as well, as the web processes do.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
os.environ.setdefault("PORTAL_PROCESS", "web")

from django.core.asgi import get_asgi_application

site = get_asgi_application()

from portal.connections.checks import check_at_start
from portal.page_refresh.stream import ChangeStream
from portal.worker_monitoring.signals import monitor_from_now_on

application = ChangeStream(site)
check_at_start()
monitor_from_now_on()
