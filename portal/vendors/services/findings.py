"""Adding and changing findings about a vendor on the platform."""

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.connections.services import Urgency, client_for
from portal.lib.line_breaks import unified
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.platform_api import Platform
from portal.platform_api.models import vendors as remote
from portal.platform_writes.outcomes import check_shown, verify_and_write, write_and_verify
from portal.sync.services.positions import find_listed
from portal.tenants.models import Membership, Role
from portal.vendors.errors import AlreadyThere, ChangedMeanwhile
from portal.vendors.kinds import AREA, FINDING, VENDOR
from portal.vendors.models import Part, PartKind, Vendor
from portal.vendors.models.choices import ACCEPT, OPEN, REMEDIATE
from portal.vendors.services.store_parts import store_part
from portal.vendors.services.writes import DECIDER, about, check


@dataclass(frozen=True, kw_only=True)
class FindingText:
    """What a finding is to say. How its remediation stands counts only while it is to be remediated."""

    content: str
    risk_status: str
    state: str = ""
    notes: str = ""

    @property
    def version(self) -> str:
        """Stands for what a person has before them."""
        said = [self.content, self.risk_status, self.state, self.notes]
        return sha256(json.dumps(said).encode()).hexdigest()[:16]

    @property
    def remediation(self) -> dict[str, Any]:
        """What the platform is told of it: nothing while nothing is to be remediated."""
        if self.risk_status != REMEDIATE:
            return {}
        return {"remediation": {"state": self.state or OPEN, "requirementNotes": self.notes}}


def text_of(found: remote.Finding) -> FindingText:
    """Return what the platform's finding says, as our copy of it does."""
    found = remote.Finding.read(storable(found.raw))
    remediation = found.remediation if found.risk_status == REMEDIATE else None
    return FindingText(
        content=unified(found.content),
        risk_status=found.risk_status,
        state=remediation.state if remediation else "",
        notes=unified(remediation.requirement_notes or "") if remediation else "",
    )


def role_for(text: FindingText, *, before: FindingText | None = None) -> Role:
    """Return who may do this. To accept a risk, and to change what was accepted, is a decision."""
    is_decided = ACCEPT in (text.risk_status, before.risk_status if before else "")
    return DECIDER if is_decided else Role.ANALYST


def add_finding(vendor: Vendor, text: FindingText, *, review_id: str = "", member: Membership) -> Part:
    """Add a finding on the platform. Pressed again after a lost answer, it is found and not added twice.

    Raises PermissionDenied, AlreadyThere, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    check(member, role_for(text))
    known = Part.objects.filter(vendor=vendor, kind=PartKind.FINDING)
    if any(text_of(remote.Finding.read(each.payload)).content == text.content for each in known):
        raise AlreadyThere
    client = client_for(Urgency.PERSON)
    more: dict[str, Any] = text.remediation | ({"security_review_id": review_id} if review_id else {})
    asked_at = timezone.now()

    def with_these_words() -> list[remote.Finding]:
        return [each for each in client.vendors.findings.all(vendor.platform_id) if text_of(each).content == text.content]

    def send() -> remote.Finding:
        # What a lost answer has added says the same; another one with this text does not.
        if other := next((each for each in with_these_words() if text_of(each) != _as_sent(text)), None):
            _keep_found(vendor, other, asked_at=asked_at)
            raise AlreadyThere
        create = client.vendors.findings.create
        found = verify_and_write(
            write=lambda: create(vendor.platform_id, content=text.content, risk_status=text.risk_status, **more),
            fetch=with_these_words,
            is_done=bool,
            must_show=True,
        )
        return found[0]

    found = about(vendor.platform_id, send)
    return _keep(vendor, found, "add", "Added", asked_at=asked_at, member=member)


def change_finding(vendor: Vendor, finding: Part, text: FindingText, *, seen: str, member: Membership) -> Part:
    """Change a finding on the platform, if it still says what the person has seen (`FindingText.version`).

    Raises PermissionDenied, ChangedMeanwhile, Gone, OutcomeUnknown, NotConnected or a PlatformError.
    """
    wanted, client = _as_sent(text), client_for(Urgency.PERSON)
    check(member, role_for(wanted, before=text_of(remote.Finding.read(finding.payload))))

    def fetch() -> remote.Finding:
        return _find(client, vendor, finding.platform_id)

    asked_at = timezone.now()
    before = about(vendor.platform_id, fetch)
    if text_of(before).version != seen and text_of(before) != wanted:
        _keep_found(vendor, before, asked_at=asked_at)
        raise ChangedMeanwhile
    # What is decided there counts, and not what our copy said.
    check(member, role_for(wanted, before=text_of(before)))

    def send() -> remote.Finding:
        update, ids = client.vendors.findings.update, (vendor.platform_id, finding.platform_id)
        found = write_and_verify(
            write=lambda: update(*ids, content=wanted.content, risk_status=wanted.risk_status, **wanted.remediation),
            fetch=fetch,
            is_done=lambda found: text_of(found) == wanted,
        )
        check_shown(text_of(found), before=text_of(before), is_done=text_of(found) == wanted)
        return found

    asked_at = timezone.now()
    found = about(vendor.platform_id, send)
    return _keep(vendor, found, "change", "Changed", asked_at=asked_at, member=member)


def _as_sent(text: FindingText) -> FindingText:
    """Return what the platform shows once it has taken the text."""
    if text.risk_status != REMEDIATE:
        return FindingText(content=text.content, risk_status=text.risk_status)
    return FindingText(content=text.content, risk_status=text.risk_status, state=text.state or OPEN, notes=text.notes)


def _find(client: Platform, vendor: Vendor, finding_id: str) -> remote.Finding:
    """Look one finding up: there is no call for one. Raises NotFound."""
    return find_listed(client.vendors.findings.all(vendor.platform_id), finding_id)


@transaction.atomic
def _keep_found(vendor: Vendor, found: remote.Finding, *, asked_at: datetime) -> None:
    """Show what is there: somebody else's, or what was sent before and whose answer was lost."""
    store_part(vendor, PartKind.FINDING, found, asked_at=asked_at)
    touch_areas(AREA)


@transaction.atomic
def _keep(vendor: Vendor, found: remote.Finding, verb: str, said: str, *, asked_at: datetime, member: Membership) -> Part:
    store_part(vendor, PartKind.FINDING, found, asked_at=asked_at)
    # The words of a finding may name people, and audit rows stay.
    summary = f"{said} a finding about the vendor “{str(vendor)[:150]}”."
    target, details = (VENDOR, vendor.platform_id), {FINDING: found.id}
    record(f"vendor_finding.{verb}", target=target, summary=summary, actor=member.user, details=details)
    touch_areas(AREA)
    return Part.objects.get(vendor=vendor, kind=PartKind.FINDING, platform_id=found.id)
