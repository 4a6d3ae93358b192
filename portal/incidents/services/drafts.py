"""The messages to customers, and the templates that they begin with. Nobody's text is lost (guarantee W2)."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.incidents.addresses import unnamed
from portal.incidents.models import Draft, DraftTemplate, Notice, Step
from portal.incidents.services.incident_log import AREA, check, lock_incident, note, write_log
from portal.incidents.services.incidents import ChangedMeanwhile
from portal.incidents.services.mentions import note_mentions
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role


class NameTaken(Exception):
    """Another template has this name."""


class TemplateRemoved(Exception):
    """Somebody has removed the template since it was looked at."""


@dataclass(frozen=True)
class Message:
    """What is written to a customer."""

    subject: str
    text: str


@transaction.atomic
def save_draft(notice: Notice, message: Message, *, seen: int, member: Membership) -> Draft:
    """Keep a draft. `seen`: which version was looked at, 0 for none. Raises ChangedMeanwhile, IncidentClosed."""
    check(member)
    incident = lock_incident(notice.incident)
    draft = Draft.objects.select_for_update().filter(notice=notice).first()
    if (draft.version if draft else 0) != seen:
        raise ChangedMeanwhile
    draft = draft or Draft(notice=notice, version=0)
    draft.subject, draft.text = message.subject, message.text
    draft.version += 1
    draft.changed_at, draft.changed_by_name = timezone.now(), str(member.user)[:120]
    draft.save()
    note_mentions([draft])
    write_log(incident, Step.DRAFTED, f"Draft for {notice} saved.", member=member, notice=notice)
    note(incident, "draft", f"Saved the draft for {notice} of the incident {incident}.", member=member)
    return draft


def store_template(
    template: DraftTemplate | None, message: Message, *, name: str, seen: int, member: Membership
) -> DraftTemplate:
    """Keep a template, a new one or as a new version. Raises ChangedMeanwhile, NameTaken, TemplateRemoved."""
    check(member, Role.ADMIN)
    try:
        with transaction.atomic():
            row = _locked(template) if template else DraftTemplate(version=0)
            if row.version != seen:
                raise ChangedMeanwhile
            row.name, row.subject, row.text = name, message.subject, message.text
            row.version += 1
            row.changed_at, row.changed_by_name = timezone.now(), str(member.user)[:120]
            row.save()
            note_mentions([row])
            _note_template("template" if template else "new_template", f"Saved the template {row}.", row, member)
    except IntegrityError as error:
        raise NameTaken from error
    return row


@transaction.atomic
def delete_template(template: DraftTemplate, *, member: Membership) -> None:
    """Remove a template. Drafts that were saved stay; those that were not begin with the next one."""
    check(member, Role.ADMIN)
    _note_template("delete_template", f"Removed the template {template}.", template, member)
    template.delete()


def _locked(template: DraftTemplate) -> DraftTemplate:
    row = DraftTemplate.objects.select_for_update().filter(pk=template.pk).first()
    if row is None:
        raise TemplateRemoved
    return row


def _note_template(verb: str, summary: str, template: DraftTemplate, member: Membership) -> None:
    target = ("incident_template", str(template.pk))
    record(f"incident.{verb}", target=target, summary=unnamed(summary), actor=member.user)
    touch_areas(AREA)
