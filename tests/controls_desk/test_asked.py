"""What customers ask about a control: the questions and the entries whose words are about it."""

from django.urls import reverse
from django.utils import timezone

from portal.controls import search_hits
from portal.controls.asked import asked_about
from portal.lib.text_keys import key_of
from portal.library.services import EntryContent, add_entry, note_asked, note_wordings
from portal.questionnaires.models import Questionnaire, Response
from portal.trust_center.models import Control

MFA = "Is multi-factor authentication required for employees?"
BACKUPS = "How long are backups of customer data kept?"


def ask(text: str, number: int) -> Response:
    """Have a questionnaire ask a question."""
    now = timezone.now()
    facts = {"name": f"SIG {number}", "status": "NEW", "created_at": now, "updated_at": now}
    sheet = Questionnaire.objects.create(platform_id=f"sheet-{number}", **facts)
    response = Response.objects.create(
        questionnaire=sheet, platform_id=f"q-{number}", position=1, question=text, question_key=key_of(text), read_at=now
    )
    note_wordings([text])
    note_asked({response.pk: key_of(text)}, object_id=sheet.pk, at=now)
    return response


def test_questions_and_entries_about_a_control_are_found_and_others_are_not(client, owner):
    control = Control.objects.create(platform_id="mfa", name="Multi-factor authentication", description="Every account has it.")
    url = f"{search_hits.control_url('acme', control.platform_id)}asked/"
    assert b"No questions or library entries are about it" in client.get(url).content
    question, other = ask(MFA, 1), ask(BACKUPS, 2)
    entry = add_entry(EntryContent(question="Do you enforce MFA?", short="Yes"), review_on=None, member=owner)
    add_entry(EntryContent(question="Do you encrypt backups?", short="Yes"), review_on=None, member=owner)
    found = asked_about(control.name, control.description, "acme")
    assert [each.question.text for each in found.questions] == [MFA]
    assert [each.entry for each in found.entries] == [entry]
    page = client.get(url, headers={"HX-Request": "true"}).content.decode()
    assert reverse("questionnaires:response", args=["acme", "sheet-1", question.platform_id]) in page
    assert other.question not in page
    assert "<html" not in page


def test_the_description_is_looked_for_where_the_name_finds_nothing(owner):
    ask(BACKUPS, 1)
    assert not asked_about("Control 17", "", "acme")
    found = asked_about("Control 17", "How long backups of customer data are kept is written down.", "acme")
    assert [each.question.text for each in found.questions] == [BACKUPS]
