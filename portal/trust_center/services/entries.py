"""Adding, changing and deleting what stands in plain lists of the Trust Center: subprocessors and compliance frameworks.

Both are a name and some texts, read by every visitor; a family says how each of them is called, read and stored.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for, trust_center
from portal.lib.line_breaks import unified
from portal.lib.storable import storable_text
from portal.page_refresh.services import touch_areas
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.models.remote import Listed
from portal.platform_api.models.showcase import ShownFramework
from portal.platform_api.models.showcase import Subprocessor as RemoteSubprocessor
from portal.platform_api.paging import Items, read_list
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership
from portal.trust_center.errors import AlreadyThere, BadgeRefused
from portal.trust_center.kinds import AREA, FRAMEWORK, SUBPROCESSOR
from portal.trust_center.models import Framework, Subprocessor
from portal.trust_center.services.store import store_framework, store_subprocessor
from portal.trust_center.services.writes import (
    PUBLISHER,
    add_object,
    check,
    check_no_other,
    delete_object,
    look_before,
    look_up,
    update_object,
    version_of,
)

type Values = Mapping[str, str]
"""What an entry says, by the names of its fields; empty for nothing."""
NAME = "name"


@dataclass(frozen=True)
class Family:
    """One list."""

    kind: str
    label: str
    model: type[Any]
    fields: tuple[str, ...]
    """The columns of its rows, as the calls name them, too; the first is the name."""
    fixed: frozenset[str]
    """What the platform lets nobody change."""
    remote: type[Listed]
    calls: Callable[[TrustCenter], Any]
    all: Callable[[TrustCenter], Sequence[Listed]]
    store: Callable[[Any], bool]

    def said(self, found: Any) -> dict[str, str]:
        """Return all that an entry of the platform, or our copy of it, says: columns may be shorter."""
        if isinstance(found, self.model):
            found = self.remote.read(found.payload)
        return {name: unified(storable_text(getattr(found, name) or "")) for name in self.fields}

    def version(self, found: Any) -> str:
        """Return what stands for all that an entry says."""
        return version_of([*self.said(found).values()])


def shown_frameworks(center: TrustCenter) -> Items[ShownFramework]:
    """Read the frameworks one by one: one that cannot be read is named, and is not taken for one that is gone."""
    shown = center.compliance_frameworks.get()
    return read_list(shown.raw, ShownFramework, "GET", "/compliance-frameworks")


SUBPROCESSORS = Family(
    kind=SUBPROCESSOR,
    label="subprocessor",
    model=Subprocessor,
    fields=(NAME, "url", "purpose", "location", "description"),
    fixed=frozenset({NAME, "url"}),
    remote=RemoteSubprocessor,
    calls=lambda center: center.subprocessors,
    all=lambda center: center.subprocessors.all(),
    store=store_subprocessor,
)
FRAMEWORKS = Family(
    kind=FRAMEWORK,
    label="compliance framework",
    model=Framework,
    fields=(NAME, "standard", "description"),
    fixed=frozenset(),
    remote=ShownFramework,
    calls=lambda center: center.compliance_frameworks,
    all=shown_frameworks,
    store=store_framework,
)


def add_entry(family: Family, values: Values, *, member: Membership) -> Any:
    """Add an entry on the platform, and return its row.

    Raises PermissionDenied, AlreadyThere for a name that is there, OutcomeUnknown, NotConnected, NoTrustCenter or a
    PlatformError.
    """
    check(member, PUBLISHER)
    if family.model.objects.present().filter(name=values[NAME]).exists():
        raise AlreadyThere
    center = trust_center(client_for(Urgency.PERSON))

    def fetch() -> list[Any]:
        return [each for each in family.all(center) if family.said(each)[NAME] == values[NAME]]

    check_no_other(fetch(), is_same=lambda each: family.said(each) == values, store=family.store)
    texts = {name: value for name, value in values.items() if name != NAME and value}
    added = add_object(write=lambda: family.calls(center).create(values[NAME], **texts), fetch=fetch)
    return _keep(family, added, "add", "Added", member)


def change_entry(family: Family, row: Any, values: Values, *, seen: str, member: Membership) -> Any:
    """Change an entry on the platform, if it still says what the person has seen (`Family.version`).

    Raises PermissionDenied, Gone, ChangedMeanwhile, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, PUBLISHER)
    center = trust_center(client_for(Urgency.PERSON))

    def fetch() -> Any:
        return find_listed(family.all(center), row.platform_id)

    before = look_before(
        family.kind,
        row.platform_id,
        fetch,
        is_expected=lambda found: family.version(found) == seen or family.said(found) == values,
        store=family.store,
    )
    changes = {name: values[name] for name in family.fields if name not in family.fixed}
    found = update_object(
        family.kind,
        row.platform_id,
        write=lambda: family.calls(center).update(row.platform_id, **{name: value or None for name, value in changes.items()}),
        fetch=fetch,
        is_done=lambda found: changes.items() <= family.said(found).items(),
        said=family.said,
        before=family.said(before),
    )
    return _keep(family, found, "change", "Changed", member)


def delete_entry(family: Family, row: Any, *, member: Membership) -> None:
    """Delete an entry on the platform. Raises PermissionDenied, OutcomeUnknown, NotConnected or a PlatformError."""
    check(member, PUBLISHER)
    center = trust_center(client_for(Urgency.PERSON))
    delete_object(
        family.kind,
        row.platform_id,
        delete=lambda: family.calls(center).delete(row.platform_id),
        fetch=lambda: find_listed(family.all(center), row.platform_id),
        is_known_gone=lambda: family.model.objects.filter(pk=row.pk).exclude(gone_at=None).exists(),
    )
    with transaction.atomic():
        if family.model.objects.present().filter(pk=row.pk).update(gone_at=timezone.now()):
            _note(family, row, "delete", "Deleted", member)


def set_badge(framework: Framework, content: BinaryIO, file_name: str, *, member: Membership) -> None:
    """Give a framework a badge of its own, in place of any other; sent twice, it is the same one.

    Raises PermissionDenied, Gone, BadgeRefused, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, PUBLISHER)
    frameworks = trust_center(client_for(Urgency.PERSON)).compliance_frameworks
    answer = look_up(
        FRAMEWORK, framework.platform_id, lambda: frameworks.set_badge(framework.platform_id, content, filename=file_name)
    )
    if not answer.is_successful:
        raise BadgeRefused
    with transaction.atomic():
        _note(FRAMEWORKS, framework, "badge", "Changed the badge of", member)


@transaction.atomic
def _keep(family: Family, found: Any, verb: str, said: str, member: Membership) -> Any:
    family.store(found)
    row = family.model.objects.get(platform_id=found.id)
    _note(family, row, verb, said, member)
    return row


def _note(family: Family, row: Any, verb: str, said: str, member: Membership) -> None:
    summary = f"{said} the {family.label} “{str(row)[:150]}”."
    details = {"after": family.said(row)}
    record(f"{family.kind}.{verb}", target=(family.kind, row.platform_id), summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
