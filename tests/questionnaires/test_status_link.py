"""The requester's page: open to whoever has the link, says where the questionnaire is and nothing else, ends when revoked."""

import pytest
from django.test import Client

from portal.audit.services import history
from portal.questionnaires.models import Questionnaire, StatusLink
from portal.questionnaires.public_status import PUBLIC_STATUSES, status_for_requester
from portal.questionnaires.stages import STAGES
from portal.questionnaires.views.shares import public_url
from portal.tenants.models import Role
from tests.questionnaires.conftest import address

pytestmark = pytest.mark.once


@pytest.fixture
def shared(client, alice, desk) -> StatusLink:
    client.force_login(alice)
    assert client.post(f"{address(desk.questionnaire)}status-link/").status_code == 302
    return StatusLink.objects.get()


def path_of(link: StatusLink) -> str:
    return public_url(link).removeprefix("http://127.0.0.1:8000")


def test_it_is_read_without_signing_in(shared, desk):
    answer = Client().get(path_of(shared))
    page = answer.content.decode()
    assert desk.questionnaire.name in page
    assert "writing the answers" in page
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"


def test_s1_it_tells_nothing_of_people_and_answers(shared, desk):
    page = Client().get(path_of(shared)).content.decode()
    hidden = [desk.questionnaire.owner_name, desk.questionnaire.platform_id, desk.response.question, desk.response.answer_text]
    assert [words for words in hidden if words and words in page] == []


def test_the_page_that_shows_it_is_kept_nowhere(client, shared, desk):
    assert "no-store" in client.get(f"{address(desk.questionnaire)}details/")["Cache-Control"]


def test_there_is_one_at_a_time_and_it_can_be_looked_up_again(client, shared, desk):
    client.post(f"{address(desk.questionnaire)}status-link/")
    assert StatusLink.objects.count() == 1
    assert public_url(shared) in client.get(f"{address(desk.questionnaire)}details/").content.decode()


def test_a_revoked_one_leads_nowhere_and_the_next_one_is_another(client, alice, shared, desk):
    old = path_of(shared)
    client.post(f"{address(desk.questionnaire)}status-link/", {"revoke": "1"})
    assert Client().get(old).status_code == 404
    client.post(f"{address(desk.questionnaire)}status-link/")
    new = path_of(StatusLink.objects.alive().get())
    assert new != old
    assert Client().get(old).status_code == 404
    assert Client().get(new).status_code == 200
    actions = [entry.action for entry in history("questionnaire", desk.questionnaire.platform_id)]
    assert actions == [f"questionnaire.status_link.{verb}" for verb in ("share", "revoke", "share")]


@pytest.mark.parametrize("change", ["", "x", "-", "."])
def test_s1_a_token_that_was_not_signed_here_leads_nowhere(shared, change):
    path = path_of(shared)
    for wrong in (f"/status/{shared.public_id}/", f"{path[:-1]}{change or 'y'}/", "/status/65a0:x/", "/status/%00/"):
        assert Client().get(wrong).status_code == 404


def test_one_of_a_questionnaire_that_is_gone_leads_nowhere(shared, desk):
    desk.objects.delete(desk.tenant_id, "questionnaires", desk.questionnaire.platform_id)
    Questionnaire.objects.update(gone_at=shared.made_at)
    assert Client().get(path_of(shared)).status_code == 404


def test_s7_it_ends_with_the_tenant(shared, acme):
    acme.closed_at = shared.made_at
    acme.save()
    assert Client().get(path_of(shared)).status_code == 404


def test_s1_a_viewer_makes_and_revokes_none(client, bob, shared, desk):
    client.force_login(bob)
    for sent in ({}, {"revoke": "1"}):
        assert client.post(f"{address(desk.questionnaire)}status-link/", sent).status_code == 403
    assert StatusLink.objects.alive().count() == 1
    assert public_url(shared) not in client.get(f"{address(desk.questionnaire)}details/").content.decode()


def test_an_analyst_may(client, member, desk):
    client.force_login(member(Role.ANALYST))
    client.post(f"{address(desk.questionnaire)}status-link/")
    assert StatusLink.objects.alive().exists()


def test_every_stage_has_its_words(shared, desk):
    assert {stage.key for stage in STAGES} == set(PUBLIC_STATUSES)
    unknown = Questionnaire(status="A_STATUS_OF_TOMORROW")
    assert status_for_requester(unknown).text == "We're working on it."


def test_s6_the_token_stands_in_no_row_and_in_no_log(shared, caplog, client, desk):
    client.post(f"{address(desk.questionnaire)}status-link/", {"revoke": "1"})
    Client().get(path_of(shared))
    assert "Not Found: /status/…" in caplog.text
    assert shared.token not in caplog.text
    assert shared.token not in str(StatusLink.objects.values())
