"""Settings of one tenant, copied to others of the same person: what each would get, and doing it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.core.exceptions import PermissionDenied
from django.db import transaction

from portal.audit.services import record
from portal.tenants.copied_settings import CopiedSettings, NotCopied
from portal.tenants.models import Membership, Role
from portal.tenants.scope import tenant_scope

CHANGED = "the settings have changed since you opened this page. Review them again"


@dataclass(frozen=True)
class Copy:
    """What one tenant would get."""

    membership: Membership
    before: Sequence[str]
    plan: Sequence[str]
    value: str
    """Names the tenant and what was shown of both: somebody may change either while the page is open."""


def describe_settings(settings: CopiedSettings, source: Membership) -> Sequence[str]:
    return settings.describe(_read(settings, source))


def copies_to(settings: CopiedSettings, source: Membership, memberships: Iterable[Membership]) -> list[Copy]:
    """Say what each other tenant would get whose settings this person may change."""
    given = _read(settings, source)
    targets = [each for each in memberships if each.tenant_id != source.tenant_id and each.may(Role.ADMIN)]
    return [_copy(settings, given, each) for each in sorted(targets, key=lambda each: each.tenant.name.casefold())]


def copy_to(settings: CopiedSettings, source: Membership, target: Membership, *, value: str) -> None:
    """Give a tenant what it was shown to get. Raises NotCopied, and PermissionDenied for who is no admin of both."""
    if not (source.may(Role.ADMIN) and target.may(Role.ADMIN)):
        raise PermissionDenied
    given = _read(settings, source)
    with tenant_scope(target.tenant_id), transaction.atomic():
        settings.lock()
        copy = _copy(settings, given, target)
        if copy.value != value:
            raise NotCopied(CHANGED)
        settings.apply(given, target)
        # The other tenant is not named: its name is nobody's business here.
        record(
            "settings.copy",
            target=("settings", settings.label),
            summary=f"Copied from another tenant: {settings.label.lower()}.",
            actor=target.user,
            details={"changes": [*copy.plan]},
        )


def _read(settings: CopiedSettings, member: Membership) -> Any:
    with tenant_scope(member.tenant_id):
        return settings.read(member)


def _copy(settings: CopiedSettings, given: Any, target: Membership) -> Copy:
    before = _read(settings, target)
    value = f"{target.tenant.slug}:{crc32(repr((given, before)).encode()):x}"
    return Copy(target, settings.describe(before), settings.plan(given, before), value)
