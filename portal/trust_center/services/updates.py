"""Changing and deleting updates. Nobody is told of a change by email."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.line_breaks import unified
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center_news import Updates
from portal.platform_api.models import showcase as remote
from portal.tenants.models import Membership
from portal.trust_center.kinds import AREA, UPDATE
from portal.trust_center.models import Update
from portal.trust_center.models.updates import PRIVATE, PUBLIC
from portal.trust_center.services.store_updates import store_update
from portal.trust_center.services.writes import PUBLISHER, check, delete_object, look_before, update_object, version_of


@dataclass(frozen=True, kw_only=True)
class UpdateText:
    """What an update says, and whether every visitor reads it or viewers alone."""

    title: str
    description: str
    category: str
    is_public: bool

    @property
    def visibility(self) -> str:
        return PUBLIC if self.is_public else PRIVATE

    @property
    def version(self) -> str:
        """Stands for what a person has before them."""
        return version_of([unified(self.title), unified(self.description), self.category, self.is_public])


def text_of(fetched: remote.Update | Update) -> UpdateText:
    """Return all that the platform's update says, as our copy has it: columns may be shorter."""
    found = remote.Update.read(fetched.payload if isinstance(fetched, Update) else storable(fetched.raw))
    is_public = found.visibility_type == PUBLIC
    title, description = unified(found.title), unified(found.description)
    return UpdateText(title=title, description=description, category=found.category, is_public=is_public)


def change_update(update: Update, text: UpdateText, *, seen: str, member: Membership) -> Update:
    """Change an update on the platform, if it still says what the person has seen (`UpdateText.version`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, PUBLISHER)
    updates = _updates()

    def fetch() -> remote.Update:
        return updates.get(update.platform_id)

    before = look_before(
        UPDATE,
        update.platform_id,
        fetch,
        is_expected=lambda found: text_of(found).version == seen or text_of(found) == text,
        store=store_update,
    )
    # Who sees it stays as it is unless that was changed: the platform may have words for it that nobody here knows.
    readers = {} if text_of(before).is_public == text.is_public else {"visibility_type": text.visibility}
    found = update_object(
        UPDATE,
        update.platform_id,
        write=lambda: updates.update(
            update.platform_id,
            title=text.title,
            description=text.description,
            category=text.category,
            **readers,
        ),
        fetch=fetch,
        is_done=lambda found: text_of(found) == text,
        said=text_of,
        before=text_of(before),
    )
    with transaction.atomic():
        store_update(found)
        note(update, "change", "Changed", member)
    return Update.objects.get(pk=update.pk)


def delete_update(update: Update, *, member: Membership) -> None:
    """Delete an update on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, PUBLISHER)
    updates = _updates()
    delete_object(
        UPDATE,
        update.platform_id,
        delete=lambda: updates.delete(update.platform_id),
        fetch=lambda: updates.get(update.platform_id),
        is_known_gone=lambda: Update.objects.filter(pk=update.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if Update.objects.present().filter(pk=update.pk).update(gone_at=timezone.now()):
            note(update, "delete", "Deleted", member)


def note(update: Update, verb: str, said: str, member: Membership, *, more: str = "") -> None:
    """Write down what was done with an update, in the caller's transaction."""
    summary = f"{said} the update “{str(update)[:150]}”.{more}"
    record(f"update.{verb}", target=(UPDATE, update.platform_id), summary=summary, actor=member.user)
    touch_areas(AREA)


def _updates() -> Updates:
    return trust_center(client_for(Urgency.PERSON)).updates
