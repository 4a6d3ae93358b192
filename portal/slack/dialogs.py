"""The dialogs in which a request is decided in Slack. They ask what the page asks; its own forms check what was handed in."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from portal.access_requests.forms import ApprovalForm, DenialForm, RejectionForm
from portal.access_requests.models import AccessRequest, Decision
from portal.slack.blocks import MAX_OPTIONS, Block, context, dialog, field, option, select, several
from portal.slack.cards import APPROVE, DENY, REJECT

YES = "on"

type Values = dict[str, dict[str, dict[str, Any]]]


def approval_dialog(access_request: AccessRequest) -> Block:
    """Ask what a person gets; preset to what was asked for, as on the page."""
    form = ApprovalForm(access_request)
    level, resources, expiry = form["access_level"], form["resources"], form["expiry"]
    documents = [option(_short(each), title) for each, title in _choices(form, "resources")]
    nda = form["is_nda_required"]
    blocks = [
        context(str(access_request), access_request.company),
        _field(form, "access_level", select("radio_buttons", "access_level", _options(form, "access_level"), level.value())),
        _field(form, "expiry", select("static_select", "expiry", _options(form, "expiry"), expiry.value())),
        _field(form, "expires_on", {"type": "datepicker", "action_id": "expires_on"}),
        _field(form, "is_nda_required", several("checkboxes", "is_nda_required", [option(YES, str(nda.label))], [YES])),
    ]
    if documents:
        chosen = [_short(each) for each in resources.value() or ()]
        blocks.insert(2, _field(form, "resources", several("multi_static_select", "resources", documents, chosen)))
    if len(documents) > MAX_OPTIONS:
        blocks.insert(3, context(f"Slack shows {MAX_OPTIONS} documents. To choose from all {len(documents)}, open the portal."))
    return dialog(APPROVE, "Approve access", "Approve", access_request.pk, blocks)


def denial_dialog(access_request: AccessRequest) -> Block:
    form = DenialForm()
    blocks = [
        context(str(access_request), access_request.company),
        _field(form, "canned", select("static_select", "canned", _options(form, "canned"), form["canned"].value())),
        _field(form, "words", _text("words", form.fields["words"].max_length)),  # type: ignore[attr-defined]
    ]
    return dialog(DENY, "Deny access", "Deny", access_request.pk, blocks)


def rejection_dialog(decision: Decision) -> Block:
    form = RejectionForm()
    blocks = [
        context(f"{decision.access_request}, approved by {decision.decided_by_name}"),
        _field(form, "words", _text("words", form.fields["words"].max_length)),  # type: ignore[attr-defined]
    ]
    return dialog(REJECT, "Reject approval", "Reject", decision.pk, blocks)


def filled_approval(access_request: AccessRequest, values: Values) -> ApprovalForm:
    """Return the page's form with what was handed in."""
    named = {_short(each): each for each, _ in _choices(ApprovalForm(access_request), "resources")}
    return ApprovalForm(access_request, _data("approve", values, lambda each: named.get(each, each)))


def filled_denial(values: Values) -> DenialForm:
    return DenialForm(_data("deny", values))


def filled_rejection(values: Values) -> RejectionForm:
    return RejectionForm(_data("reject", values))


def errors_of(form: forms.Form, values: Values) -> dict[str, str]:
    """Return the words of each field that was not filled in well; of one that the dialog does not have, at its first field."""
    first = next(iter(values), "")
    return {name if name in values else first: " ".join(map(str, errors)) for name, errors in form.errors.items()}


def _field(form: forms.Form, name: str, element: Block) -> Block:
    return field(name, str(form[name].label), element, help_text=str(form[name].help_text))


def _text(name: str, most: int) -> Block:
    return {"type": "plain_text_input", "action_id": name, "multiline": True, "max_length": most}


def _choices(form: forms.Form, name: str) -> list[tuple[str, str]]:
    return list(form.fields[name].choices)  # type: ignore[attr-defined]


def _options(form: forms.Form, name: str) -> list[Block]:
    return [option(value, label) for value, label in _choices(form, name)]


def _short(platform_id: str) -> str:
    """Name a document within the 150 characters of an option: the platform's ids may be longer."""
    return sha256(platform_id.encode()).hexdigest()[:32]


def _data(prefix: str, values: Values, name_of: Callable[[str], str] = str) -> MultiValueDict[str, str]:
    """Return what was handed in as a browser would send it."""
    found = {f"{prefix}-{name}": _read(element) for name, [element, *_] in ((n, [*e.values()]) for n, e in values.items() if e)}
    return MultiValueDict({name: [name_of(each) for each in chosen] for name, chosen in found.items() if chosen})


def _read(element: dict[str, Any]) -> list[str]:
    """Return what an element of a dialog holds; nothing for one that is empty, or of another form."""
    several_chosen = element.get("selected_options") or []
    one_chosen = element.get("selected_option")
    chosen = [each.get("value") for each in (several_chosen or [one_chosen]) if isinstance(each, dict)]
    chosen += [element.get("selected_date"), element.get("value")]
    return [each for each in chosen if isinstance(each, str) and each]
