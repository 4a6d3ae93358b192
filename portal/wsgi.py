"""The web process: `granian --interface wsgi portal.wsgi:application`, or gunicorn with threads."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
os.environ.setdefault("PORTAL_PROCESS", "web")

from django.core.wsgi import get_wsgi_application

site = get_wsgi_application()

# Before the first delivery, which need not come behind a page: without it tasks would be sent to nobody's broker.
from portal.celery import app as celery_app
from portal.connections.checks import check_at_start
from portal.inbox.entry import with_hooks
from portal.worker_monitoring.signals import monitor_from_now_on

__all__ = ["application", "celery_app", "site"]

application = with_hooks(site)
check_at_start()
monitor_from_now_on()
