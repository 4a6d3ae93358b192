"""Buttons and dialogs in Slack, answered by the desk's services: the same roles, rules, second approval and half minute."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Decision, Verb
from portal.access_requests.refusals import REFUSALS, refusal_for
from portal.access_requests.services import confirm, reject, schedule_decision, undo
from portal.lib.enqueue import enqueue_on_commit
from portal.notifications.formats import slack_markup
from portal.notifications.models import TeamChannel
from portal.notifications.slack_api import call
from portal.slack import dialogs
from portal.slack.blocks import Block, explanation, section
from portal.slack.cards import APPROVE, CONFIRM, DENY, GONE, REJECT, UNDO
from portal.slack.payloads import Press, Submission
from portal.slack.services.messages import UPDATE_MESSAGES, note_message
from portal.slack.services.people import NotAllowed, member_who
from portal.tenants.models import Membership

ABOUT_REQUESTS = {APPROVE: dialogs.approval_dialog, DENY: dialogs.denial_dialog}
ABOUT_DECISIONS = {REJECT: dialogs.rejection_dialog}
AT_ONCE = {CONFIRM: confirm, UNDO: undo}
NEVER_SHOWN = datetime(1970, 1, 1, tzinfo=UTC)
"""Of a message whose row was lost: it may show anything."""


def press(row: TeamChannel, pressed: Press) -> None:
    """Open the dialog of a button, or do what needs none; whoever may not, or came too late, is told, and nobody else.

    Raises NotTaken and NotConfirmed, where Slack does not answer.
    """
    try:
        member = member_who(row, pressed.user.id)
        with timezone.override(member.user.zone):
            _press(row, pressed, member)
    except (NotAllowed, ObjectDoesNotExist, *REFUSALS) as error:
        title, text = _words(row, error)
        blocks = [section(f"{title}\n{text}")]
        call(
            row, "chat.postEphemeral", channel=pressed.channel.id, user=pressed.user.id, text=slack_markup(title), blocks=blocks
        )
    enqueue_on_commit(UPDATE_MESSAGES, row.tenant_id)


def _press(row: TeamChannel, pressed: Press, member: Membership) -> None:
    name, key = pressed.action.action_id, pressed.action.value
    if make := ABOUT_REQUESTS.get(name):
        request = _request(key)
        _note(pressed, request)
        _open(row, pressed, make(request))
        return
    decision = _decision(key)
    _note(pressed, decision.access_request)
    if act := AT_ONCE.get(name):
        act(decision, member=member)
    elif ask := ABOUT_DECISIONS.get(name):
        _open(row, pressed, ask(decision))


def _open(row: TeamChannel, pressed: Press, dialog: Block) -> None:
    call(row, "views.open", trigger_id=pressed.trigger_id, view=dialog)


def _note(pressed: Press, request: AccessRequest) -> None:
    note_message(request, pressed.channel.id, pressed.message.ts, shown_at=NEVER_SHOWN)


def submit(row: TeamChannel, submission: Submission) -> dict[str, Any]:
    """Decide what a dialog says; return what Slack does with it: close it, show errors in it, or show why nothing was done.

    Raises NotTaken and NotConfirmed, where Slack does not say who it was.
    """
    view = submission.view
    try:
        member = member_who(row, submission.user.id)
        with timezone.override(member.user.zone):
            form = _submit(view.callback_id, view.private_metadata, view.state.values, member)
    except (NotAllowed, ObjectDoesNotExist, *REFUSALS) as error:
        return {"response_action": "update", "view": explanation(*_words(row, error))}
    if form.errors:
        return {"response_action": "errors", "errors": dialogs.errors_of(form, view.state.values)}
    enqueue_on_commit(UPDATE_MESSAGES, row.tenant_id)
    return {"response_action": "clear"}


def _submit(name: str, key: int, values: dialogs.Values, member: Membership) -> forms.Form:
    """Return the form of a dialog; where it has no errors, what it says was decided."""
    if name == APPROVE:
        request = _request(key)
        approval = dialogs.filled_approval(request, values)
        if approval.is_valid():
            schedule_decision(request, verb=Verb.APPROVE, terms=approval.terms(), member=member)
        return approval
    if name == DENY:
        denial = dialogs.filled_denial(values)
        if denial.is_valid():
            schedule_decision(_request(key), verb=Verb.DENY, reason=denial.reason, member=member)
        return denial
    rejection = dialogs.filled_rejection(values)
    if name == REJECT and rejection.is_valid():
        reject(_decision(key), member=member, reason=rejection.cleaned_data["words"])
    return rejection


def _words(row: TeamChannel, error: Exception) -> tuple[str, str]:
    """Say why nothing was done, as a title and a sentence."""
    match error:
        case NotAllowed():
            return "You can't decide this here.", str(error)
        case ObjectDoesNotExist():
            return GONE, "Nothing was changed."
    refusal = refusal_for(error, slug=row.tenant.slug)
    return f"{refusal.title}.", refusal.text


def _request(key: int) -> AccessRequest:
    return AccessRequest.objects.get(pk=key)


def _decision(key: int) -> Decision:
    return Decision.objects.select_related("access_request").get(pk=key)
