"""What the platform returns: open to what it adds, firm about what it must have, discreet in a repr."""

import json
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.platform_api import errors, models
from portal.platform_api.models import Remote
from portal.platform_api.models.risks import RiskScenario

AT = "2026-01-02T10:00:00.000Z"

EXAMPLES: dict[type[Remote], dict[str, Any]] = {
    models.Questionnaire: {
        "id": "65a000000000000000000001",
        "displayName": "ACME vendor review",
        "type": "SPREADSHEET",
        "status": "IN_REVIEW",
        "statusLog": [
            {
                "updatedBy": {"id": "65a00000000000000000000a", "displayName": "A. Example", "email": "a@example.org"},
                "updatedAt": AT,
                "status": "IN_REVIEW",
                "message": None,
            }
        ],
        "ownerAssignment": {"type": "User", "id": "65a00000000000000000000a", "displayName": "A. Example"},
        "customerTrustAccountId": "65a0000000000000000000aa",
        "dueDate": "2026-02-01T00:00:00.000Z",
        "metadata": [{"key": "deal", "value": "D-42"}],
        "tagAndCategoryIds": [{"categoryId": "65a0000000000000000000c1", "tagId": "65a0000000000000000000d1"}],
        "createdDate": AT,
        "updatedDate": AT,
    },
    models.Response: {"id": "65f0", "question": "Do you encrypt?", "answerPartsSchema": {"type": "object"}},
    models.Export: {
        "id": "65e0",
        "status": "completed",
        "format": "csv",
        "requestedAt": AT,
        "downloadUrl": "https://f/x?sig=1",
    },
    models.AssignableUser: {"id": "65a0", "displayName": "A. Example"},
    models.AccessRequest: {
        "id": "65b0",
        "email": "kim@buyer.example",
        "name": "Kim Buyer",
        "accessLevel": "PARTIAL_ACCESS",
        "requestedResources": ["65c000000000000000000001"],
        "creationDate": AT,
        "updatedDate": AT,
        "outcome": "DENIED",
        "manualDenialReason": "No running deal",
    },
    models.Viewer: {
        "id": "65d0",
        "email": "kim@buyer.example",
        "resourceIds": None,
        "accessLevel": "FULL_ACCESS",
        "ndaInfo": {"provider": "ONE_CLICK", "satisfiedDate": AT, "docuSign": None, "oneClick": {"name": "Kim", "date": AT}},
        "creationDate": AT,
        "updatedDate": AT,
        "expirationDate": AT,
    },
    models.TrustCenter: {"id": "65e1", "title": "Northwind"},
    models.Resource: {"id": "65c0", "title": "Report"},
    models.Activity: {"id": "65g0", "date": AT, "eventType": "PAGE_VIEW"},
    models.Account: {"id": "65h0", "name": "Buyer", "ndaDetails": {"ndaStatus": "SIGNED", "ndaSatisfiedDate": AT}},
    models.Contract: {"id": "65i0", "name": "agreement.pdf", "creationDate": AT, "executedDate": AT},
    models.Success: {"isSuccessful": True},
    models.User: {"id": "65j0", "email": "kim@buyer.example"},
}
EACH = pytest.mark.parametrize("model", EXAMPLES, ids=lambda model: model.__name__)


def required(model: type[Remote]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items() if field.is_required()]


def moments(remote: Remote) -> list[datetime]:
    found = [value for value in vars(remote).values() if isinstance(value, datetime)]
    inner = [value for value in vars(remote).values() if isinstance(value, Remote)]
    return found + [moment for each in inner for moment in moments(each)]


@EACH
def test_the_example_is_read_and_kept_as_it_came(model: type[Remote]) -> None:
    example = EXAMPLES[model]
    remote = model.read(json.loads(json.dumps(example)))
    assert remote.raw == example
    assert all(moment.tzinfo for moment in moments(remote))


@EACH
def test_unknown_fields_stay(model: type[Remote]) -> None:
    strange = {"newField": {"deep": [1, None]}, "raw": 1, "_raw": 2, "model_config": 3, "copy": 4, "": 5, "a b": 6}
    remote = model.read(EXAMPLES[model] | strange)
    assert remote.raw == EXAMPLES[model] | strange
    assert list(remote.raw) == [*EXAMPLES[model], *strange]
    assert (remote.model_extra or {}).items() >= strange.items()


@EACH
@pytest.mark.parametrize("wrong", [None, [], "text", 7, True, {}])
def test_what_is_no_such_object_is_unexpected(model: type[Remote], wrong: object) -> None:
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        model.read(wrong, "GET", "/x/{}")
    assert str(caught.value).startswith(f"GET /x/{{}} {model.__name__} cannot be read: ")
    assert caught.value.__context__ is None, "what pydantic reports holds the values"


@EACH
def test_what_it_must_have_is_named_when_it_lacks_and_no_value_is_shown(model: type[Remote]) -> None:
    for name in required(model):
        for broken in ({key: value for key, value in EXAMPLES[model].items() if key != name}, EXAMPLES[model] | {name: []}):
            with pytest.raises(errors.UnexpectedAnswer, match=name) as caught:
                model.read(broken)
            for value in ("kim@buyer.example", "Kim Buyer", "ACME", "Do you encrypt?"):
                assert value not in str(caught.value)


@EACH
def test_s6_a_repr_shows_the_id_alone(model: type[Remote]) -> None:
    remote = model.read(EXAMPLES[model])
    identifier = EXAMPLES[model].get("id")
    shown = f"id='{identifier}'" if identifier else ""
    assert repr(remote) == f"{model.__name__}({shown})"
    assert str(remote) == shown


@EACH
def test_an_object_does_not_change(model: type[Remote]) -> None:
    remote = model.read(EXAMPLES[model])
    with pytest.raises(ValueError, match="frozen"):
        remote.id = "x"  # type: ignore[attr-defined]
    assert model.read(EXAMPLES[model]) == remote
    assert pickle.loads(pickle.dumps(remote)).raw == remote.raw  # noqa: S301 - written a moment ago


@pytest.mark.parametrize("value", ["", "SOMETHING_NEW", "in review", "Ü", "x" * 5000])
def test_c3_a_value_that_nobody_knows_stays_text(value: str) -> None:
    read = {
        "status": models.Questionnaire.read(EXAMPLES[models.Questionnaire] | {"status": value}).status,
        "accessLevel": models.Viewer.read(EXAMPLES[models.Viewer] | {"accessLevel": value}).access_level,
        "outcome": models.AccessRequest.read(EXAMPLES[models.AccessRequest] | {"outcome": value}).outcome,
        "eventType": models.Activity.read(EXAMPLES[models.Activity] | {"eventType": value}).event_type,
        "format": models.Export.read(EXAMPLES[models.Export] | {"format": value}).format,
    }
    assert set(read.values()) == {value}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-02T10:00:00.000Z", datetime(2026, 1, 2, 10, tzinfo=UTC)),
        ("2026-01-02T10:00:00", datetime(2026, 1, 2, 10, tzinfo=UTC)),
        ("2026-01-02T12:00:00+02:00", datetime(2026, 1, 2, 10, tzinfo=UTC)),
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
    ],
)
def test_every_time_is_aware(text: str, moment: datetime) -> None:
    contract = models.Contract.read(EXAMPLES[models.Contract] | {"executedDate": text})
    assert contract.executed_date == moment
    assert contract.executed_date.tzinfo


ENDS_OF_THE_CALENDAR = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00"]
"""Of which some zone cannot show the day."""


@pytest.mark.parametrize("text", ["soon", "", "2026-13-01", "99999-01-01", {}, True, *ENDS_OF_THE_CALENDAR])
def test_a_time_that_is_none_is_left_out(text: object) -> None:
    contract = models.Contract.read(EXAMPLES[models.Contract] | {"creationDate": text})
    assert contract.creation_date is None
    assert contract.raw["creationDate"] == text


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-inf"])
def test_a_number_that_is_none_is_left_out(text: str) -> None:
    scenario = RiskScenario.read({"riskId": "R/1", "likelihood": text, "impact": "4"})
    assert (scenario.likelihood, scenario.impact) == (None, 4)
    assert scenario.raw["likelihood"] == text


@EACH
def test_q14_a_field_of_another_kind_takes_nothing_else_with_it(model: type[Remote]) -> None:
    example, whole = EXAMPLES[model], model.read(EXAMPLES[model])
    optional = [name for name, field in model.model_fields.items() if not field.is_required()]
    for name in optional:
        alias = model.model_fields[name].alias or name
        for wrong in (7.5, {"a": [None]}, [None, 1], "no", True, None):
            found = model.read(example | {alias: wrong})
            assert found.raw[alias] == wrong
            rest = [other for other in model.model_fields if other != name]
            assert [getattr(found, other) for other in rest] == [getattr(whole, other) for other in rest]


def test_q14_an_entry_that_cannot_be_read_takes_no_other_with_it() -> None:
    log = [{"status": "IN_REVIEW", "updatedAt": AT}, "x", {"status": 7}, {"status": "APPROVED", "updatedAt": AT}]
    questionnaire = models.Questionnaire.read(EXAMPLES[models.Questionnaire] | {"statusLog": log})
    assert [entry.status for entry in questionnaire.status_log] == ["IN_REVIEW", "APPROVED"]


@pytest.mark.parametrize("model", [models.Questionnaire, models.Response, models.Account, models.Contract, models.Resource])
def test_q14_an_id_is_all_that_an_object_needs(model: type[Remote]) -> None:
    assert model.read({"id": "65a0"}).raw == {"id": "65a0"}


@pytest.mark.parametrize("risk_id", ["", "..", "a\nb"])
def test_a_risk_scenario_whose_own_id_fits_into_no_path_is_unreadable(risk_id: str) -> None:
    assert RiskScenario.read({"riskId": "R/1"}).id == "R/1"
    with pytest.raises(errors.Unreadable):
        RiskScenario.read({"riskId": risk_id})


def test_half_a_character_in_a_text_does_not_lose_the_object() -> None:
    cut = json.loads('"cut \\ud83d"')
    questionnaire = models.Questionnaire.read(EXAMPLES[models.Questionnaire] | {"displayName": cut})
    assert questionnaire.display_name == cut


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(list(EXAMPLES)), st.data())
def test_whatever_comes_is_an_object_or_unexpected(model: type[Remote], data: st.DataObject) -> None:
    example = EXAMPLES[model]
    changed = data.draw(st.dictionaries(st.sampled_from([*example, "other"]), JSON, max_size=4))
    try:
        remote = model.read(example | changed)
    except errors.UnexpectedAnswer:
        return
    assert remote.raw == example | changed
