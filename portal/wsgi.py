"""The web process: `granian --interface wsgi portal.wsgi:application`, or gunicorn with threads."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
os.environ.setdefault("PORTAL_PROCESS", "web")

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from portal.connections.checks import check_at_start
from portal.worker_monitoring.signals import monitor_from_now_on

check_at_start()
monitor_from_now_on()
