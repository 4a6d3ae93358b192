"""Updates that are published in tests, and a worker that comes by."""

from django.utils import timezone

from portal.trust_center.models import Publication, PublicationItem
from portal.trust_center.tasks import work_on_publication
from tests.trust_center.conftest import PAGE

UPDATES, NEW = f"{PAGE}updates/", f"{PAGE}updates/new/"
UPDATE = {"title": "Our new report is here", "text": "Ask for it on the Trust Center.", "category": "COMPLIANCE"}
FORM = UPDATE | {"readers": "public", "target": "NONE"}
THERE = "updates"


def let_pass(publication: Publication) -> Publication:
    """Let the half minute of a publication pass, and a worker come by."""
    now = timezone.now()
    Publication.objects.filter(pk=publication.pk, finished_at=None).update(due_at=now)
    PublicationItem.objects.filter(run=publication).update(due_at=now)
    work_on_publication(publication.tenant_id, publication.pk)
    return Publication.objects.get(pk=publication.pk)


def state(publication: Publication) -> str:
    return PublicationItem.objects.get(run=publication).state


def page_of(publication: Publication) -> str:
    return f"{UPDATES}publications/{publication.pk}/"
