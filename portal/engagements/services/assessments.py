"""What the firm holds of a control, for one segment of the audit (specification 2.5, 4.7)."""

from django.db import transaction
from django.utils import timezone

from portal.connections.services import Urgency, client_for
from portal.engagements.errors import AssessedMeanwhile
from portal.engagements.models import EngagementControl
from portal.engagements.selectors import assessments_of
from portal.engagements.services.payloads import cleaned
from portal.engagements.services.store_lists import control_columns, save_row
from portal.engagements.services.writes import DECIDER, about, auditor_of, check, ids_of, note
from portal.platform_api.models import audits as remote
from portal.platform_writes.outcomes import write_and_verify
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership


def assess_control(
    control: EngagementControl, segment_id: str, state: str, justification: str, *, seen: str, member: Membership
) -> None:
    """Record an assessment and why, in place of the one that the person has seen (its version). Said twice, it is the same.

    Raises PermissionDenied, AssessedMeanwhile, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, DECIDER)
    _check_seen(control, segment_id, seen, said=(state, justification))
    controls, asked_at = client_for(Urgency.PERSON).audits.controls, timezone.now()

    def is_done(found: remote.AuditControl) -> bool:
        said = [each for each in found.assessments if each.segment_id == segment_id]
        return any((each.assessment_state, each.justification or "") == (state, justification) for each in said)

    def send() -> remote.AuditControl:
        return write_and_verify(
            write=lambda: controls.assess(
                *ids_of(control),
                assessment_state=state,
                justification=justification,
                auditor_email=auditor_of(member),
                segment_id=segment_id,
            ),
            # There is no call for one control: the list of the audit tells.
            fetch=lambda: find_listed(controls.all(control.engagement.platform_id), control.platform_id),
            is_done=is_done,
            must_show=True,
        )

    found = about(control, send)
    with transaction.atomic():
        columns = control_columns(remote.AuditControl.read(cleaned(found.raw)))
        row = EngagementControl.objects.select_for_update().get(pk=control.pk)
        save_row(row, EngagementControl, control.engagement, control.platform_id, columns, asked_at)
        note(control, "assess", "Assessed", member=member, segment=segment_id, state=state)


def _check_seen(control: EngagementControl, segment_id: str, seen: str, *, said: tuple[str, str]) -> None:
    """Refuse to replace what the person has not seen, unless it says the same."""
    for now in assessments_of(control, {}):
        if now.segment_id == segment_id and now.version != seen and (now.state, now.justification) != said:
            raise AssessedMeanwhile(now.pill[0], now.justification, now.version)
