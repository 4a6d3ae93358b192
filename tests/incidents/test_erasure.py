"""Guarantee S11 in this room: an address that stands in any of its texts is found, and is nowhere afterwards."""

from portal.commitments.models import Commitment
from portal.incidents import services
from portal.incidents.models import Draft, Incident, LogEntry, Mention, Notice
from portal.incidents.services import Message, Telling
from portal.tenants import personal_data
from portal.tenants.offboarding import purge
from tests.deletion_requests.test_traces import dump
from tests.incidents.conftest import NOTICED, make_account, make_promise, notice_of, open_one

JANE = "Jane.Doe@northwind.example"
OTHER = f"not{JANE}.other"


def fill(owner) -> Incident:
    """Write an address into every text that there is."""
    account = make_account("Northwind")
    make_promise(account, "24 hours", notify=f"Jane <{JANE}>, or {OTHER}")
    make_promise(account, "48 hours", notify=f"tell {JANE.upper()}.")
    incident = open_one(owner, name=f"Mail of {JANE}", notes=f"{JANE}; {JANE}")
    notice = notice_of(incident, "Northwind")
    services.save_draft(notice, Message(f"To {JANE}", f"Dear {JANE},\n{OTHER}"), seen=0, member=owner)
    services.mark_notified(incident, [notice.pk], Telling(told_at=NOTICED, way="mail", note=f"sent to {JANE}."), member=owner)
    services.revert(notice, seen="told", reason=f"it was {JANE}", member=owner)
    services.exempt(notice, reason=f"{JANE} knows", member=owner)
    services.add_remark(incident, f"called {JANE}", member=owner)
    message = Message(f"{{incident}} {JANE}", f"write to {JANE}")
    services.store_template(None, message, name=f"Of {JANE}", seen=0, member=owner)
    return incident


def test_s11_an_address_in_any_text_is_found_and_erased(owner, office):
    incident = fill(owner)
    number = personal_data.count(JANE)["Incidents"]
    assert number == Mention.objects.filter(address=JANE.casefold()).count() >= 8
    assert personal_data.erase(JANE)["Incidents"] == number
    # The commitments are another room's.
    Commitment.objects.update(notify="")
    assert JANE.casefold() not in dump().replace(OTHER.casefold(), "")
    assert "Incidents" not in personal_data.count(JANE)
    assert OTHER.casefold() in set(personal_data.addresses())
    notice = Notice.objects.get()
    assert notice.notify == f"Jane <<erased address>>, or {OTHER}"
    assert Draft.objects.get().text == f"Dear <erased address>,\n{OTHER}"
    incident.refresh_from_db()
    assert str(incident) == "Mail of <erased address>"
    assert LogEntry.objects.filter(note="sent to <erased address>.").exists()


def test_the_rows_stay_when_a_tenant_leaves(owner, office):
    fill(owner)
    purge()
    assert (Incident.objects.count(), Notice.objects.count(), Draft.objects.count()) == (1, 1, 1)
    assert LogEntry.objects.count() > 5
