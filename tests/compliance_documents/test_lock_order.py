"""Whoever shows what was just added to a document waits for who stores its lists, and neither stops the other."""

import pytest
from django.db import transaction
from django.utils import timezone

from portal.documents.models import Document, Link
from portal.documents.services.evidence import Evidence, keep_child, link_columns, store_evidence
from portal.platform_api.models import documents as remote
from portal.platform_api.paging import Collected
from tests.support.beside import Beside

pytestmark = pytest.mark.django_db(transaction=True)


def test_q6_a_new_link_and_the_list_that_has_it_do_not_meet_in_a_deadlock(acme, document):
    new = remote.Link.read({"id": "new", "url": "https://example.com/", "title": "A link"})
    listed = Evidence(document.platform_id, timezone.now(), Collected([]), Collected([new]), Collected([]))
    with transaction.atomic():
        # As who stores the lists begins.
        Document.objects.select_for_update().get(pk=document.pk)
        beside = Beside(acme.pk, lambda: transaction.atomic(keep_child)(Link, document, new, link_columns))
        store_evidence(listed)
    beside.wait()
    assert Link.objects.filter(document=document, platform_id="new").count() == 1
