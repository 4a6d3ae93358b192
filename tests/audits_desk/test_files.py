"""What is fetched as a file of evidence, and what never is: addresses that are the customer's, and what was deleted."""

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.engagements.errors import NoFile
from portal.engagements.models import EngagementPart, PartKind
from portal.engagements.services import fetch_evidence_file, fetch_request_file

pytestmark = pytest.mark.once
ELSEWHERE = "https://intranet.customer.example/report"


def downloads(desk) -> list[str]:
    return [each["path"] for each in desk.calls("GET", "/files/")]


def change(desk, row, kind: str, **values: object) -> str:
    """Change the first piece of evidence on the platform; return its id."""
    key = desk.of(row, kind)[0]["id"]
    desk.change(kind, key, **values)
    return key


@pytest.mark.parametrize("evidence_type", ["LINK", "OBSERVATION", "BRAND_NEW"])
def test_of_a_request_only_what_was_uploaded_is_fetched(owner, desk, row, evidence_type):
    key = change(desk, row, "request-evidence", evidenceType=evidence_type, url=ELSEWHERE)
    part = EngagementPart.objects.of(row, PartKind.REQUEST_EVIDENCE).get(platform_id=key)
    with pytest.raises(NoFile):
        fetch_request_file(row, part, member=owner)
    assert downloads(desk) == []
    assert not Entry.objects.filter(action="information_request.download").exists()


def test_a_file_of_a_request_that_was_deleted_meanwhile_is_not_fetched(owner, desk, row):
    now = timezone.now().isoformat().replace("+00:00", "Z")
    key = change(desk, row, "request-evidence", deletionDate=now, url=ELSEWHERE)
    part = EngagementPart.objects.of(row, PartKind.REQUEST_EVIDENCE).get(platform_id=key)
    with pytest.raises(NoFile):
        fetch_request_file(row, part, member=owner)
    assert downloads(desk) == []


def test_a_link_among_the_files_of_evidence_is_not_fetched(owner, desk, item):
    key = change(desk, item, "evidence-urls", isDownloadable=False, url=ELSEWHERE)
    part = EngagementPart.objects.of(item, PartKind.EVIDENCE_FILE).get(platform_id=key)
    with pytest.raises(NoFile):
        fetch_evidence_file(item, part, member=owner)
    assert downloads(desk) == []
