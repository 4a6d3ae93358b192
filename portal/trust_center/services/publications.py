"""Publishing an update: scheduled for half a minute later, then sent once. Its mails are real: no call is repeated by itself.

A publication is a bulk run of one item, so that leases, turns, pauses and what needs a person are those of every run.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import NotConnected, Urgency, client_for, trust_center
from portal.connections.services.calls import reserved_calls
from portal.lib.enqueue import enqueue_in
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.areas.trust_center_news import Updates
from portal.platform_api.bodies.showcase import UpdateFields
from portal.platform_api.errors import NotFound, PlatformError, Unavailable, UnexpectedAnswer
from portal.platform_api.models import showcase as remote
from portal.platform_writes import bulk_worker
from portal.platform_writes.bulk import AnotherOnItsWay, Bulk, begin, try_again
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.sync.freshness import fetch_now
from portal.tenants.models import Membership
from portal.tenants.personal_data import fold
from portal.trust_center.errors import Gone, TooLate
from portal.trust_center.kinds import AREA, PUBLICATION, UPDATE
from portal.trust_center.models import (
    WINDOW,
    Publication,
    PublicationItem,
    Subscriber,
    SubscriberGroup,
    SubscriberQuerySet,
    Target,
    Update,
    Verb,
)
from portal.trust_center.models.publications import is_scheduled, item_of
from portal.trust_center.refusals import REFUSALS, refusal_message
from portal.trust_center.services.store_updates import store_update
from portal.trust_center.services.updates import UpdateText, note, text_of
from portal.trust_center.services.writes import PUBLISHER

WORK = "portal.trust_center.tasks.work_on_publication"
FIRST = 1
CLOCKS_DIFFER = timedelta(minutes=5)
"""The platform's clock may be behind ours by as much."""


@dataclass(frozen=True, kw_only=True)
class Audience:
    """Who is told of an update by email."""

    target: Target
    group_ids: Collection[str] = ()

    def subscribers(self) -> SubscriberQuerySet:
        """Give the subscribers that these are now. The platform decides when the update leaves."""
        rows: SubscriberQuerySet = Subscriber.objects.present()
        match self.target:
            case Target.ALL:
                return rows
            case Target.GROUPS:
                return rows.in_groups(*self.group_ids)
        none: SubscriberQuerySet = rows.none()
        return none


def publish(text: UpdateText, audience: Audience, *, member: Membership) -> Publication:
    """Hold an update back for half a minute, then have it published.

    Raises PermissionDenied; NotConnected or NoTrustCenter, because nothing could leave; AnotherOnItsWay.
    """
    return _hold(text, audience, Publication(verb=Verb.PUBLISH), member)


def tell(update: Update, audience: Audience, *, member: Membership) -> Publication:
    """Have subscribers told of an update that is on the Trust Center, once half a minute has passed.

    Raises what `publish` raises.
    """
    told = {fold(each) for each in update.notified}
    wanted = {fold(each) for each in audience.subscribers().values_list("email", flat=True)}
    publication = Publication(verb=Verb.TELL, update_id=update.platform_id, leaves_trace=not wanted <= told)
    text = UpdateText(title=update.title, description=update.description, category=update.category, is_public=update.is_public)
    return _hold(text, audience, publication, member)


def _hold(text: UpdateText, audience: Audience, publication: Publication, member: Membership) -> Publication:
    PUBLICATIONS.check(member)
    trust_center(client_for(Urgency.PERSON))
    groups = SubscriberGroup.objects.present().filter(platform_id__in=audience.group_ids)
    publication.title, publication.description = text.title, text.description
    publication.category, publication.is_public = text.category, text.is_public
    publication.target, publication.recipients = audience.target, audience.subscribers().count()
    publication.groups = {row.platform_id: str(row) for row in groups} if audience.target == Target.GROUPS else {}
    publication.due_at = timezone.now() + WINDOW
    try:
        with transaction.atomic():
            begin(PUBLICATIONS, publication, [PublicationItem()], member=member)
            enqueue_in(WINDOW.total_seconds(), WORK, publication.tenant_id, publication.pk)
    except IntegrityError as error:
        first = Publication.objects.open().filter(verb=publication.verb, title=publication.title).first()
        if first is None or not _is_pressed_twice(first, publication):
            raise AnotherOnItsWay from error
        return first
    return publication


def _is_pressed_twice(first: Publication, second: Publication) -> bool:
    """Say whether two tell the same people of the same update in the same words."""
    is_same = _text(first) == _text(second) and first.target == second.target and first.groups.keys() == second.groups.keys()
    return is_same and (not first.is_told or first.update_id == second.update_id)


@transaction.atomic
def undo_publication(publication: Publication, *, member: Membership) -> None:
    """Take an update back that has not left. Raises TooLate once a worker has it, or it has ended; PermissionDenied."""
    PUBLICATIONS.check(member)
    # A worker claims the run first: whoever has the row decides.
    row = Publication.objects.select_for_update().get(pk=publication.pk)
    item = item_of(row)
    if item is None or not is_scheduled(row, item):
        raise TooLate
    item.delete()
    row.finished_at, row.undone_by_name = timezone.now(), str(member.user)[:120]
    row.save(update_fields=["finished_at", "undone_by_name"])
    summary = f"Undid, before it was sent: {row}."
    record("update.undo", target=(PUBLICATION, str(row.pk)), summary=summary, actor=member.user)
    touch_areas(AREA)


def retry_publication(publication: Publication, *, member: Membership) -> int:
    """Have an update sent that was not; it is looked for first. From now on this member is the one who asks.

    Raises PermissionDenied; AnotherOnItsWay for one with the same title.
    """
    return try_again(PUBLICATIONS, publication, member=member)


def work_on_publication(publication: Publication) -> bool:
    """Send a publication that is due; False when another worker has it. A failure is written into its item."""
    return bulk_worker.work_on(PUBLICATIONS, publication)


def send(
    item: PublicationItem, *, member: Membership, client: Platform, checks_before_retry: bool, then: Callable[[], object]
) -> None:
    """Make the one call of a publication. `then` runs in the transaction that writes it down.

    Raises OutcomeUnknown, or why it was refused. While nobody knows whether a call has arrived it is only looked for: to send
    it a second time is a person's to decide, which makes it the first attempt again.
    """
    publication: Publication = item.run
    updates = trust_center(client).updates
    look, write = (_look_at_told, _tell) if publication.is_told else (_look, _create)
    found = look(updates, publication) if checks_before_retry or not publication.is_told else None
    if found is None and checks_before_retry and item.attempts > FIRST:
        raise OutcomeUnknown
    found = found or write(updates, publication)
    with transaction.atomic():
        if found:
            store_update(found)
            publication.update_id = found.id
        publication.save(update_fields=["update_id"])
        _note_sent(publication, member)
        then()


def _note_sent(publication: Publication, member: Membership) -> None:
    update, told = Update.objects.get(platform_id=publication.update_id), f" Notified by email: {publication.target_label}."
    if publication.is_told:
        note(update, "tell", "Sent", member, more=told)
    else:
        note(update, "publish", "Published", member, more="" if publication.target == Target.NONE else told)


def _create(updates: Updates, publication: Publication) -> remote.Update:
    fields: UpdateFields = {
        "visibility_type": _text(publication).visibility,
        "notification_target": publication.target,
    }
    if publication.target == Target.GROUPS:
        fields["subscriber_group_ids"] = [*publication.groups]
    title, description, category = publication.title, publication.description, publication.category
    try:
        return updates.create(title=title, description=description, category=category, **fields)
    except (Unavailable, UnexpectedAnswer) as error:
        if isinstance(error, Unavailable) and not error.sent:
            raise
        found = _look_after(updates, publication, _look, error)
        if found is None:
            raise OutcomeUnknown from error
        return found


def _tell(updates: Updates, publication: Publication) -> remote.Update | None:
    """Have the platform mail an update; return it as it is then, where it can be read. Raises Gone."""
    try:
        if publication.target == Target.ALL:
            updates.notify_all(publication.update_id)
        else:
            updates.notify(publication.update_id, emails=[], subscriber_group_ids=[*publication.groups])
    except NotFound as error:
        fetch_now((UPDATE, publication.update_id))
        raise Gone from error
    except (Unavailable, UnexpectedAnswer) as error:
        if isinstance(error, Unavailable) and not error.sent:
            raise
        found = _look_after(updates, publication, _look_at_told, error)
        if found is None:
            raise OutcomeUnknown from error
        return found
    try:
        with reserved_calls():
            return updates.get(publication.update_id)
    except (PlatformError, NotConnected):
        fetch_now((UPDATE, publication.update_id))
        return None


type Look = Callable[[Updates, Publication], remote.Update | None]


def _look_after(updates: Updates, publication: Publication, look: Look, silence: PlatformError) -> remote.Update | None:
    try:
        with reserved_calls():
            return look(updates, publication)
    except (PlatformError, NotConnected):
        raise OutcomeUnknown from silence


def _look_at_told(updates: Updates, publication: Publication) -> remote.Update | None:
    """Find out whether people were told: None where it was not done, or nobody can tell."""
    found = updates.get(publication.update_id)
    audience = Audience(target=Target(publication.target), group_ids=[*publication.groups])
    wanted = {fold(each) for each in audience.subscribers().values_list("email", flat=True)}
    is_done = publication.leaves_trace and wanted <= {fold(each) for each in found.notified_emails}
    return found if is_done else None


def _look(updates: Updates, publication: Publication) -> remote.Update | None:
    """Find what has come of a publication: an update that says the same, is not older, and has not come of another one."""
    text, begin_at = _text(publication), publication.started_at - CLOCKS_DIFFER
    others = set(Publication.objects.exclude(pk=publication.pk).exclude(update_id="").values_list("update_id", flat=True))
    found = (each for each in updates.all() if each.creation_date >= begin_at and each.id not in others)
    return next((each for each in found if text_of(each) == text), None)


def _text(publication: Publication) -> UpdateText:
    return UpdateText(
        title=publication.title,
        description=publication.description,
        category=publication.category,
        is_public=publication.is_public,
    )


PUBLICATIONS = Bulk(
    runs=Publication,
    items=PublicationItem,
    task=WORK,
    area=AREA,
    kind=PUBLICATION,
    action="update.send",
    role=PUBLISHER,
    change=send,
    refusals=REFUSALS,
    error_message=refusal_message,
)
