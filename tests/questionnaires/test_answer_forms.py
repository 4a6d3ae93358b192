import json

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from portal.lib.storable import storable
from portal.platform_api import models as remote
from portal.questionnaires import answers
from portal.questionnaires.answers import Answer, Kind, read_part
from portal.questionnaires.forms import AnswerForm
from tests.questionnaires.conftest import TWO_PARTS, address, save

pytestmark = pytest.mark.once


def answer(schema, values):
    body = {"id": "r1", "question": "?", "answerPartsSchema": schema, "answerPartsValues": values}
    return Answer(remote.Response.read(body))


def one_part(schema, value=None):
    return answer({"type": "object", "properties": {"p": schema}}, {"p": value})


def typed(form_answer, **parts):
    """Submit the form as a browser does, after typing into some of its controls."""
    form = AnswerForm(form_answer)
    sent = QueryDict(mutable=True)
    sent["seen"] = form_answer.fingerprint
    for row in form.rows():
        if row.field is None:
            continue
        sent[row.companion] = row.shown
        value = parts.get(row.part.id, row.field.value())
        if isinstance(value, list):
            sent.setlist(row.field.name, value)
        elif value not in (None, ""):
            sent[row.field.name] = value.replace("\n", "\r\n")
    return AnswerForm(form_answer, data=sent)


CHOICE = {"type": "string", "enum": ["Yes", "No", "N/A"]}
CHOICES = {"type": "array", "items": {"type": "string", "enum": ["TLS", "VPN", "mTLS"]}}
KINDS = [
    ({"type": "string"}, "old", "new\ntext ", "new\ntext ", Kind.TEXT),
    ({"type": ["string", "null"]}, None, "new", "new", Kind.TEXT),
    (CHOICE, "Yes", '"No"', "No", Kind.CHOICE),
    ({"enum": ["Ja", "Nein"]}, None, '"Ja"', "Ja", Kind.CHOICE),
    ({"type": "integer", "enum": [1, 2, 3]}, 1, "3", 3, Kind.CHOICE),
    ({"oneOf": [{"const": "a", "title": "First"}, {"const": "b"}]}, "a", '"b"', "b", Kind.CHOICE),
    (CHOICES, ["VPN"], ['"TLS"', '"VPN"'], ["TLS", "VPN"], Kind.CHOICES),
    ({"type": "array", "items": {"type": "string"}}, ["one"], "one\ntwo", ["one", "two"], Kind.LINES),
    ({"type": "boolean"}, True, "false", False, Kind.BOOLEAN),
    ({"type": "number"}, 1.5, "2,75", 2.75, Kind.NUMBER),
    ({"type": "integer"}, None, "12", 12, Kind.NUMBER),
    ({"type": "number", "multipleOf": 0.1}, None, "0.3", 0.3, Kind.NUMBER),
    ({"type": "number", "multipleOf": 0.01}, 1.1, "-19,99", -19.99, Kind.NUMBER),
    ({"type": "number", "multipleOf": 1e-300}, None, "1e300", 1e300, Kind.NUMBER),
    ({"type": "string", "enum": ["Yes", ""]}, None, '""', "", Kind.CHOICE),
    ({"type": "string", "enum": ["Yes", ""]}, "", '"Yes"', "Yes", Kind.CHOICE),
    ({"type": "string", "enum": ["Yes", ""]}, "", "", None, Kind.CHOICE),
    ({"type": "array", "items": {"enum": ["Yes", ""]}}, None, ['""'], [""], Kind.CHOICES),
]


@pytest.mark.parametrize(("schema", "value", "entered", "sent", "kind"), KINDS)
def test_each_kind_of_part_is_filled_in_and_sent_as_its_type(schema, value, entered, sent, kind):
    asked = one_part(schema, value)
    assert asked.parts[0].kind is kind
    form = typed(asked, p=entered)
    assert form.is_valid(), form.errors
    assert form.changes == {"p": sent}
    assert type(form.changes["p"]) is type(sent)


@pytest.mark.parametrize(("schema", "value", "entered", "sent", "kind"), KINDS)
def test_a_part_that_nobody_touched_is_not_sent(schema, value, entered, sent, kind):
    form = typed(one_part(schema, value))
    assert form.is_valid(), form.errors
    assert form.changes == {}


@pytest.mark.parametrize(
    ("schema", "entered"),
    [
        ({"type": "string", "maxLength": 3}, "four"),
        ({"type": "string", "minLength": 5}, "four"),
        (CHOICE, '"Perhaps"'),
        (CHOICES, ['"Carrier pigeon"']),
        ({"type": "number", "maximum": 10}, "11"),
        ({"type": "number"}, "eleven"),
        ({"type": "number"}, "1e999"),
        ({"type": "number"}, "NaN"),
        ({"type": "integer"}, "1.5"),
        ({"type": "number", "multipleOf": 0.1}, "0.25"),
        ({"type": "integer", "multipleOf": 5}, "12"),
        ({"type": "boolean"}, '"perhaps"'),
        ({**CHOICES, "maxItems": 1}, ['"TLS"', '"VPN"']),
    ],
)
def test_a_value_that_does_not_fit_its_schema_is_refused_at_its_part(schema, entered):
    form = typed(one_part(schema), p=entered)
    assert not form.is_valid()
    assert len(form.errors) == 1


ODD = [
    {"type": "object", "properties": {"deep": {"type": "string"}}},
    {"type": ["string", "number"]},
    {"type": "array", "items": {"type": "object"}},
    {"type": "string", "enum": [{"nested": "enum"}]},
    {"enum": []},
    {"type": "something-new"},
    {"type": "string", "maxLength": "three"},
    {"anyOf": [{"type": "string"}, {"type": "number"}]},
    {},
    "not a schema",
    None,
    True,
]


@pytest.mark.parametrize("schema", ODD)
@pytest.mark.parametrize("value", [None, "text", 5, ["a"], {"a": 1}, False])
def test_a_schema_nobody_knows_is_shown_and_never_written(schema, value):
    asked = one_part(schema, value)
    form = typed(asked)
    assert form.is_valid()
    assert form.changes == {}
    assert [row.part.value for row in form.rows()] == [value]
    assert form.rows()[0].json is not None


@pytest.mark.parametrize(("schema", "value"), [(CHOICE, ["Yes"]), (CHOICES, "TLS"), ({"type": "boolean"}, "yes")])
def test_a_value_of_the_wrong_type_stays_until_somebody_fills_in_the_part(schema, value):
    form = typed(one_part(schema, value))
    assert form.is_valid()
    assert form.changes == {}
    assert not form.rows()[0].part.fits


@pytest.mark.parametrize(
    ("schema", "held", "wanted", "is_same"),
    [
        ({"type": "string"}, "a\r\nb", "a\nb", True),
        ({"type": "number"}, 5.0, 5, True),
        ({"type": "number"}, 1, True, False),
        ({"type": "number"}, 5, "5", False),
        (CHOICES, ["VPN", "TLS"], ["TLS", "VPN"], True),
        (CHOICES, ["VPN"], ["TLS", "VPN"], False),
        ({"type": "array"}, ["a", "b"], ["b", "a"], False),
    ],
)
def test_w1_an_answer_that_the_platform_spells_otherwise_is_the_same(schema, held, wanted, is_same):
    [part] = one_part(schema).parts
    assert part.is_same(held, wanted) is is_same


def test_a_choice_that_is_not_offered_any_more_can_be_kept():
    form = typed(one_part(CHOICE, "Partly"))
    assert form.is_valid(), form.errors
    assert form.changes == {}
    assert "Partly (not an available choice)" in str(form)


def test_an_empty_text_among_the_choices_is_an_answer_with_a_name():
    schema = {"oneOf": [{"const": "yes"}, {"const": "", "title": "Not applicable"}]}
    chosen = one_part(schema, "")
    assert chosen.is_given
    assert chosen.given == [("p", "Not applicable")]
    assert "(empty)" in str(AnswerForm(one_part({"enum": ["Yes", ""]})))
    assert not one_part({"type": "string"}, "").is_given


def test_an_empty_choice_is_saved_told_from_none_and_cleared_again(analyst, desk):
    question = desk.set_answer({"type": "object", "properties": {"p1": {"enum": ["Yes", ""]}}}, {"p1": None})
    for entered, kept in (('""', ""), ("", None)):
        assert save(analyst, desk.response, p1=entered).status_code == 302
        assert desk.there(question)["answerPartsValues"] == {"p1": kept}
        desk.response.refresh_from_db()
        assert desk.response.is_answered == (kept is not None)


def test_values_without_a_schema_are_shown_and_never_written():
    form = typed(answer({"type": "object", "properties": {}}, {"stray": "kept"}))
    assert form.is_valid()
    assert form.changes == {}
    assert [row.part.id for row in form.rows()] == ["stray"]


def test_a_part_that_was_not_on_the_page_is_not_written():
    asked = answer(TWO_PARTS, {"p1": "Yes", "p2": "text"})
    form = AnswerForm(asked, data=QueryDict("seen="))
    assert form.is_valid()
    assert form.changes == {}


def test_two_hundred_parts_with_any_names_keep_apart():
    properties = {f"teil {number} „ü“ 🔐 <b> \"'": {"type": "string", "title": f"T{number}"} for number in range(200)}
    asked = answer({"properties": properties}, dict.fromkeys(properties, "old"))
    last = list(properties)[-1]
    form = typed(asked, **{last: "new"})
    assert form.is_valid(), form.errors
    assert form.changes == {last: "new"}


def test_the_older_form_of_an_answer_is_read():
    body = {"id": "r", "question": "?", "answer": {"multipleChoice": "YES", "explanation": "All of it.", "other": None}}
    asked = Answer(remote.Response.read(body))
    assert asked.is_given
    assert asked.legacy == [("Choice", "YES"), ("Explanation", "All of it.")]
    assert AnswerForm(asked).parts == {}


VALUES = st.one_of(st.none(), st.text(), st.booleans(), st.integers(), st.floats(), st.lists(st.text(), max_size=3))
KEYWORDS = ["type", "enum", "items", "title", "description", "maxLength", "minimum", "oneOf", "const", "pattern", "$ref", "x"]
SCHEMAS = st.recursive(
    st.dictionaries(st.sampled_from(KEYWORDS), VALUES | st.sampled_from(["string", "array", "boolean", "number"]), max_size=4),
    lambda inner: st.dictionaries(st.sampled_from(KEYWORDS), inner | st.lists(inner, max_size=2), max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(), SCHEMAS, max_size=4), st.dictionaries(st.text(), VALUES, max_size=4))
def test_any_schema_with_any_values_renders_and_an_untouched_form_writes_nothing(properties, values):
    clean = storable({"properties": properties, "values": values})
    asked = answer({"type": "object", "properties": clean["properties"]}, clean["values"])
    form = typed(asked)
    str(form)
    assert form.is_valid(), form.errors
    assert form.changes == {}
    assert {row.part.id for row in form.rows()} == {*clean["properties"], *clean["values"]}


@pytest.mark.parametrize("schema", [schema for schema, *_ in KINDS] + [schema for schema in ODD if isinstance(schema, dict)])
def test_every_kind_of_part_has_a_page(client, alice, desk, schema):
    client.force_login(alice)
    response = desk.set_answer(
        {"type": "object", "properties": {"<b>p</b>": schema}}, {"<b>p</b>": "<script>alert(1)</script>"}
    )
    page = client.get(address(response)).content
    assert b"&lt;script&gt;alert(1)" in page
    assert b"<script>alert(1)" not in page
    assert b"&lt;b&gt;p&lt;/b&gt;" in page


def test_it_saves_unicode_keys(client, alice, desk):
    client.force_login(alice)
    response = desk.set_answer({"type": "object", "properties": {"Größe 🔐": {"type": "string"}}}, {"Größe 🔐": None})
    assert save(client, response, **{"Größe 🔐": "Ü" * 1000}).status_code == 302
    assert desk.there(response)["answerPartsValues"] == {"Größe 🔐": "Ü" * 1000}


def test_it_saves_two_hundred_parts_with_all_their_choices(client, alice, desk, monkeypatch):
    client.force_login(alice)
    read: list[str] = []
    monkeypatch.setattr(
        answers, "read_part", lambda part_id, *given, **more: read.append(part_id) or read_part(part_id, *given, **more)
    )
    choices = [f"Choice {number}" for number in range(12)]
    part = {"type": "array", "items": {"type": "string", "enum": choices}}
    names = [f"part {number}" for number in range(200)]
    response = desk.set_answer({"type": "object", "properties": dict.fromkeys(names, part)}, dict.fromkeys(names))
    answer = save(client, response, **{name: [json.dumps(choice) for choice in choices] for name in names})
    assert answer.status_code == 302
    assert desk.there(response)["answerPartsValues"] == dict.fromkeys(names, choices)
    assert len(read) < 50 * len(names), "each part is read a few times, not once for each other part"


def test_an_answer_without_parts_is_shown_and_cannot_be_saved(client, alice, desk):
    client.force_login(alice)
    stored = desk.there(desk.response)
    del stored["answerPartsSchema"], stored["answerPartsValues"]
    desk.objects.save(desk.tenant_id, "responses", stored | {"answer": {"explanation": "Written long ago."}})
    desk.fetch()
    page = client.get(address(desk.response)).content
    assert b"Written long ago." in page
    assert b"Save and next" not in page
