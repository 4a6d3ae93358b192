"""Guarantee R8: whatever somebody does in an incident leaves its audit row."""

from datetime import timedelta

from portal.incidents import services
from portal.incidents.services import Telling
from portal.incidents.services.drafts import Message
from tests.incidents.conftest import NOTICED, PAGE, facts, make_account, make_promise, notice_of, open_one
from tests.support.audit import recorded

ALICE = "Alice Ames"


def test_r8_an_incident_from_its_opening_to_its_end(office, owner):
    make_promise(make_account("Berlin Office"), "24 hours")
    with recorded("incident.open", "incident.change", "incident.replan", "incident.remark", by=ALICE):
        incident = open_one(owner)
        services.change_incident(incident, facts(name="Leaked backup tape"), seen=1, member=owner)
        services.replan(incident, member=owner)
        services.add_remark(incident, "The tape was found.", member=owner)
    with recorded("incident.close", "incident.reopen", by=ALICE):
        services.close_incident(incident, remark="", member=owner)
        services.reopen_incident(incident, member=owner)


def test_r8_what_became_of_each_customer(office, owner):
    for name in ("Berlin Office", "Sydney Bank"):
        make_promise(make_account(name), "24 hours")
    incident = open_one(owner)
    first, second = notice_of(incident, "Berlin Office"), notice_of(incident, "Sydney Bank")
    with recorded("incident.draft", "incident.tell", "incident.spare", "incident.revert", by=ALICE):
        services.save_draft(first, Message("An incident", "Dear all,"), seen=0, member=owner)
        services.mark_notified(incident, [first.pk], Telling(told_at=NOTICED + timedelta(hours=1), way="mail"), member=owner)
        services.exempt(second, reason="Not affected.", member=owner)
        services.revert(second, seen="not-needed", reason="A mistake.", member=owner)


def test_r8_templates_of_drafts(office, owner):
    with recorded("incident.new_template", "incident.template", "incident.delete_template", by=ALICE):
        template = services.store_template(None, Message("S", "T"), name="Short", seen=0, member=owner)
        services.store_template(template, Message("S", "Text"), name="Short", seen=1, member=owner)
        services.delete_template(template, member=owner)


def test_r8_files_that_were_taken(client, office, owner):
    incident = open_one(owner)
    with recorded("incident.export", "incident.export", by=ALICE) as rows:
        for what in ("export", "log/export"):
            assert client.post(f"{PAGE}{incident.pk}/{what}/").status_code == 200
    assert ["plan" in row.summary for row in rows] == [True, False]
    with recorded("incident.export", by=ALICE):
        assert client.post(f"{PAGE}export/").status_code == 200
