"""What somebody waits for is fetched now; whoever asks for several objects marks them in everybody's order."""

from portal.documents.kinds import DETAILS, EVIDENCE
from portal.documents.models import Document
from portal.documents.services.writes import read_again
from portal.sync.freshness import fetch_now
from portal.sync.models import StaleMark
from portal.sync.services import TRUST_CENTER


def marked() -> list[tuple[str, str]]:
    """The marks in the order in which they were made, which is the one in which they were locked."""
    return list(StaleMark.objects.order_by("pk").values_list("kind", "object_id"))


def test_objects_are_marked_in_the_order_in_which_everybody_locks_marks(scoped):
    fetch_now(("person", "p2"), (TRUST_CENTER, "t1"), ("document", "d1"), ("person", "p1"))
    assert marked() == [(TRUST_CENTER, "t1"), ("document", "d1"), ("person", "p1"), ("person", "p2")]
    assert not StaleMark.objects.filter(urgent=False).exists()


def test_what_belongs_to_a_document_is_marked_in_that_order_too(scoped):
    read_again(Document(platform_id="d1"))
    assert marked() == sorted([(EVIDENCE, "d1"), (DETAILS, "d1")])
