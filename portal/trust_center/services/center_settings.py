"""What is set for the Trust Center as a whole: its words, whom visitors write to, and whether it is open to everybody."""

from collections.abc import Mapping
from typing import Any, cast

from django.db import transaction

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.line_breaks import unified
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.platform_api.bodies.showcase import TrustCenterChanges
from portal.platform_api.models.trust_center import TrustCenter as RemoteCenter
from portal.tenants.models import Membership, Role
from portal.trust_center.kinds import AREA, TRUST_CENTER_SETTINGS
from portal.trust_center.models import CenterSettings
from portal.trust_center.services.store import store_settings
from portal.trust_center.services.writes import check, look_before, update_object, version_of

type Texts = Mapping[str, str]
TEXTS = ("title", "custom_heading", "company_description", "contact_email", "privacy_policy")
"""By the names of the client's model (platform-api 4.5.1); empty for nothing."""


def texts_of(found: RemoteCenter) -> dict[str, str]:
    return {name: unified(storable_text(getattr(found, name) or "")) for name in TEXTS}


def settings_version(found: RemoteCenter) -> str:
    """Return what stands for everything that a person can change here."""
    return version_of([*texts_of(found).values(), bool(found.is_public)])


def change_settings(row: CenterSettings, texts: Texts, *, is_public: bool, seen: str, member: Membership) -> CenterSettings:
    """Change the settings on the platform, if they still say what the person has seen (`settings_version`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected, NoTrustCenter or a PlatformError.
    """
    check(member, Role.ADMIN)
    center = trust_center(client_for(Urgency.PERSON))

    def is_done(found: RemoteCenter) -> bool:
        return texts_of(found) == texts and bool(found.is_public) == is_public

    before = look_before(
        TRUST_CENTER_SETTINGS,
        row.platform_id,
        center.get,
        is_expected=lambda found: settings_version(found) == seen or is_done(found),
        store=store_settings,
    )
    found = before
    # What a lost answer has changed is there already: nothing is sent then.
    if not is_done(before):
        found = update_object(
            TRUST_CENTER_SETTINGS,
            row.platform_id,
            write=lambda: center.update(**_changes(before, texts, is_public)),
            fetch=center.get,
            is_done=is_done,
            said=settings_version,
            before=settings_version(before),
        )
    changed = _changes(RemoteCenter.read(row.payload), texts, is_public)
    with transaction.atomic():
        store_settings(found)
        _note(row, sorted(changed), member)
    row.refresh_from_db()
    return row


def _changes(before: RemoteCenter, texts: Texts, is_public: bool) -> TrustCenterChanges:
    """Return what would be another one than before; None clears."""
    now = texts_of(before)
    changes: dict[str, Any] = {name: text or None for name, text in texts.items() if text != now[name]}
    if bool(before.is_public) != is_public:
        changes["is_public"] = is_public
    return cast(TrustCenterChanges, changes)


def _note(row: CenterSettings, changed: list[str], member: Membership) -> None:
    fields = ", ".join(each.replace("_", " ") for each in changed)
    summary = f"Changed the settings of the Trust Center{f': {fields}' if fields else ''}."
    target = (TRUST_CENTER_SETTINGS, row.platform_id)
    record(f"{TRUST_CENTER_SETTINGS}.change", target=target, summary=summary, actor=member.user)
    touch_areas(AREA)
