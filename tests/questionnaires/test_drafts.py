"""What a person types is kept until it is saved, discarded or emptied, whatever becomes of session, tab or answer."""

import pytest
from django.test import Client

from portal.questionnaires.models import Draft
from portal.tenants.models import Role
from tests.questionnaires.conftest import TWO_PARTS, address, fill_in, save

HTMX = {"HX-Request": "true", "HX-Target": "desk"}
OLD = {"p1": "Yes", "p2": "AES-256 for all volumes."}
NEW_FORM = {"type": "object", "properties": {"q1": {"type": "string", "title": "Explanation"}}}
CHANGED = "The form of this question changed while you were writing"


@pytest.fixture
def response(desk, client, alice):
    client.force_login(alice)
    return desk.set_answer(TWO_PARTS, OLD)


def keep(client: Client, response, **parts):
    return client.post(f"{address(response)}draft/", fill_in(response, **parts))


def page_of(client: Client, response) -> str:
    return client.get(address(response)).content.decode()


def test_w2_what_was_typed_is_in_the_form_again(client, response, wire):
    assert keep(client, response, p2="Half a sen").status_code == 204
    page = page_of(client, response)
    assert "Half a sen" in page
    assert "Your draft is in the form" in page
    assert wire.patches == []


def test_w2_only_what_was_touched_is_kept(client, desk, response):
    keep(client, response, p2="Half a sen")
    assert Draft.objects.get().typed == {"p2": "Half a sen"}
    desk.set_answer(TWO_PARTS, OLD | {"p1": "No"})
    explained, chosen = client.get(address(response)).context["form"].rows()[::-1]
    assert (chosen.field.value(), explained.field.value()) == ('"No"', "Half a sen")


def test_w2_what_is_no_answer_yet_is_kept_as_it_was_typed(client, desk, alice):
    client.force_login(alice)
    schema = {"type": "object", "properties": {"p1": {"type": "integer", "title": "How many"}}}
    row = desk.set_answer(schema, {"p1": 3})
    assert keep(client, row, p1="12 or so").status_code == 204
    assert 'value="12 or so"' in page_of(client, row)


@pytest.mark.parametrize(
    ("schema", "value", "typed", "shown"),
    [
        ({"type": "array", "items": {"enum": ["a", "b"]}}, ["a"], ['"a"', '"b"'], ['"a"', '"b"']),
        ({"type": "array", "items": {"type": "string"}}, ["one"], "one\ntwo", "one\ntwo"),
        ({"type": "boolean"}, True, "false", "false"),
    ],
    ids=["choices", "lines", "boolean"],
)
def test_w2_every_kind_of_control_shows_what_was_typed(client, desk, alice, schema, value, typed, shown):
    client.force_login(alice)
    row = desk.set_answer({"type": "object", "properties": {"p1": schema}}, {"p1": value})
    keep(client, row, p1=typed)
    form = client.get(address(row)).context["form"]
    (bound,) = [each.field for each in form.rows()]
    assert bound.value() == shown
    assert form.restored == {"p1"}


def test_w2_an_answer_that_changed_meanwhile_is_shown_beside_the_draft(client, desk, response, wire):
    keep(client, response, p2="Mine, not saved.")
    desk.set_answer(TWO_PARTS, OLD | {"p2": "Theirs."})
    page = page_of(client, desk.response)
    assert "This answer has changed since you wrote your draft" in page
    assert "Mine, not saved." in page
    assert "Theirs." in page
    # Both were seen, so saving is no conflict any more.
    assert save(client, desk.response, p2="Mine and theirs.").status_code == 302
    assert desk.there(response)["answerPartsValues"]["p2"] == "Mine and theirs."


def test_w2_a_draft_of_a_question_that_is_gone_is_still_there(client, desk, response):
    keep(client, response, p2="Mine, not saved.")
    desk.objects.delete(desk.tenant_id, "responses", response.platform_id)
    desk.fetch()
    assert "Mine, not saved." in page_of(client, response)


def test_w2_what_could_not_be_saved_is_a_draft(client, desk, response, sandbox):
    sandbox.fail("status", value=503, method="PATCH", times=9)
    assert save(client, response, headers=HTMX, p2="Mine, refused.").status_code == 422
    assert "Mine, refused." in page_of(client, response)


def test_w2_what_was_typed_into_a_form_that_is_made_anew_meanwhile_stays_to_be_copied(client, desk, response, wire):
    sent = fill_in(response, p2="Mine, not saved.")
    desk.set_answer(NEW_FORM, {"q1": "Theirs."})
    assert client.post(f"{address(response)}draft/", sent).status_code == 204
    assert [*Draft.objects.get().typed.values()] == ["Mine, not saved."]
    answer = client.post(address(response), sent, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert wire.patches == []
    assert CHANGED in page
    assert "<pre>Mine, not saved.</pre>" in page
    assert "<pre>AES" not in page, "only what was typed"
    assert "<pre>Mine, not saved.</pre>" in page_of(client, response), "also tomorrow"


def test_w2_what_has_no_place_in_the_form_stays_until_it_is_discarded(client, desk, response):
    keep(client, response, p2="Mine, not saved.")
    new = desk.set_answer(NEW_FORM, {"q1": "Theirs."})
    assert "<pre>Mine, not saved.</pre>" in page_of(client, new)
    keep(client, new, q1="Copied in p")
    page = page_of(client, new)
    assert "<pre>Mine, not saved.</pre>" in page
    assert "Copied in p" in page
    assert save(client, new, q1="Copied in part.").status_code == 302
    assert desk.there(new)["answerPartsValues"]["q1"] == "Copied in part."
    page = page_of(client, desk.response)
    assert "<pre>Mine, not saved.</pre>" in page
    assert "Your draft is in the form" not in page
    client.post(f"{address(new)}draft/", {"discard": "1"})
    assert CHANGED not in page_of(client, desk.response)


def test_w2_a_form_of_before_with_nothing_typed_into_it_leaves_nothing_to_copy(client, desk, response):
    sent = fill_in(response)
    desk.set_answer(NEW_FORM, {"q1": "Theirs."})
    client.post(f"{address(response)}draft/", sent)
    assert not Draft.objects.exists()
    assert client.post(address(response), sent).status_code == 302


def test_w2_a_form_that_comes_back_has_the_text_in_it_again(client, desk, response):
    sent = fill_in(response, p2="Mine, not saved.")
    desk.set_answer(NEW_FORM, {"q1": "Theirs."})
    client.post(f"{address(response)}draft/", sent)
    page = page_of(client, desk.set_answer(TWO_PARTS, OLD))
    assert CHANGED not in page
    assert "Your draft is in the form" in page
    assert "Mine, not saved." in page


def test_a_saved_answer_is_no_draft_any_more(client, response):
    keep(client, response, p2="Whole.")
    save(client, response, p2="Whole.")
    assert not Draft.objects.exists()
    # One that was still on its way when the answer was saved says nothing new.
    keep(client, response, p2="Whole.")
    response.refresh_from_db()
    assert "Your draft" not in page_of(client, response)


def test_typing_back_what_stood_there_leaves_nothing_to_keep(client, response):
    keep(client, response, p2="Half a sen")
    keep(client, response)
    assert not Draft.objects.exists()


def test_it_can_be_discarded(client, response):
    keep(client, response, p2="Half a sen")
    answer = client.post(f"{address(response)}draft/", {"discard": "1"})
    assert answer["Location"] == address(response)
    page = page_of(client, response)
    assert "Half a sen" not in page
    assert OLD["p2"] in page
    assert client.post(f"{address(response)}draft/", {"discard": "1"}, headers=HTMX).status_code == 200


def test_nobody_else_sees_it(client, response, member):
    keep(client, response, p2="Half a sen")
    client.force_login(member(Role.ANALYST))
    assert "Half a sen" not in page_of(client, response)
    keep(client, response, p2="Somebody else's")
    assert Draft.objects.count() == 2


def test_s1_a_viewer_keeps_none(client, bob, response):
    client.force_login(bob)
    assert keep(client, response, p2="Half a sen").status_code == 403
    assert not Draft.objects.exists()
