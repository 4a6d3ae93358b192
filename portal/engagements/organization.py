"""What an audit shows of the audited organization, list by list (specification 4.7, auditor-api 1.2 and 3).

Which lists an audit has depends on its age: the deprecated ones answer for older audits only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from portal.engagements.models import PartKind
from portal.lib.counted import counted
from portal.lib.platform_choices import readable
from portal.lib.unnamed import named
from portal.platform_api import Platform
from portal.platform_api.errors import NotFound, PermissionRefused, PlatformError
from portal.platform_api.models import audited_organization as remote
from portal.platform_api.models import inventory
from portal.platform_api.models.people import Person
from portal.platform_api.models.remote import Listed, Remote
from portal.platform_api.models.vendors import Vendor
from portal.platform_api.paging import Collected, Unread, collect
from portal.sync.services.drain import problem_of

type Fetch = Callable[[Platform, str], Collected[Any]]


@dataclass(frozen=True)
class Line:
    """One object of a list, as the page shows it."""

    title: str
    facts: list[str]
    days: list[tuple[str, datetime]]
    state: str = ""
    tone: str = "muted"


@dataclass(frozen=True)
class OrganizationList:
    """One list: how it is read, and what a page says of an object in it."""

    label: str
    fetch: Fetch
    line: Callable[[Any], Line]
    is_legacy: bool = False
    """Only older audits have it."""


def _walk(endpoint: Callable[[Any], Any]) -> Fetch:
    """Read a list that has pages."""
    return lambda client, audit_id: collect(lambda cursor: endpoint(client.audits).page(cursor, audit_id))


def _information(client: Platform, audit_id: str) -> Collected[Any]:
    """Read what the organization says of itself, and how it is notified: one object each. An audit may show only one."""
    organization, said = client.audits.organization, list[Listed]()
    calls: dict[str, Callable[[str], Remote]] = {
        "information": organization.information,
        "notifications": organization.notifications,
    }
    refusal: PlatformError | None = None
    unread: list[Unread] = []
    for key, call in calls.items():
        try:
            said.append(Listed.read(call(audit_id).raw | {"id": key}))
        except NotFound as error:
            refusal = error
        except PermissionRefused as error:
            refusal = error
            unread.append(Unread(key, problem_of(error)))
    if refusal and not said:
        raise refusal
    return Collected(said, tuple(unread))


def _risks(client: Platform, audit_id: str) -> Collected[Any]:
    """Read the risks of the newest snapshot."""
    risks = client.audits.risks
    snapshots = collect(lambda cursor: risks.snapshots.page(cursor, audit_id))
    dated = {each.created_at: each for each in snapshots.items if each.created_at}
    if not dated:
        return Collected([], snapshots.unread, snapshots.circle)
    newest = dated[max(dated)]
    return collect(lambda cursor: risks.all.page(cursor, audit_id, newest.id))


def _said(*parts: object) -> list[str]:
    """Keep the facts that are there."""
    return [str(each) for each in parts if each not in (None, "")]


def _days(*pairs: tuple[str, datetime | None]) -> list[tuple[str, datetime]]:
    return [(label, at) for label, at in pairs if at is not None]


def _name_in(found: dict[str, Any] | None, *keys: str) -> str:
    """Return the first text under one of the keys; empty where there is none."""
    texts: Iterator[Any] = ((found or {}).get(key) for key in keys)
    return next((each for each in texts if isinstance(each, str) and each), "")


def _names(found: Iterable[Any], key: str = "name") -> str:
    return ", ".join(filter(None, (_name_in(each, key) for each in found if isinstance(each, dict))))


def _information_line(payload: Any) -> Line:
    if payload.get("id") == "notifications":
        told = remote.OrganizationNotifications.read(payload)
        addresses = _names(told.external_notifications, "address")
        return Line("Notifications", _said(", ".join(map(readable, told.subscribed_channel_types)), addresses), [])
    said = remote.OrganizationInformation.read(payload)
    names = _said(said.legal_name, said.incorporation, said.url, said.mailing_address, said.telephone)
    return Line(named(said.display_name), names, [])


def _integration(said: remote.AuditIntegration) -> Line:
    return Line(named(said.name), _said(", ".join(said.categories), ", ".join(said.tags)), [])


def _person(said: remote.AuditPerson) -> Line:
    status = readable(_name_in(said.task_status, "status"))
    return Line(
        named(said.name),
        _said(said.email, said.job_title, _names(said.groups), status),
        [],
        readable(said.employment_status or ""),
    )


def _group(said: remote.AuditGroup) -> Line:
    members = None if said.members is None else counted(said.members, "member")
    return Line(named(said.name), _said(members, said.point_of_contact), _days(("Tasks changed", said.tasks_last_updated)))


def _computer(said: remote.Computer) -> Line:
    system = " ".join(_said(said.os_platform, said.os_version))
    checks = {
        "passwords": said.password_manager,
        "encryption": said.hard_drive_encrypted,
        "antivirus": said.antivirus_installed,
        "screen lock": said.screenlock_enabled,
    }
    return _checked(said.device_name, _said(_name_in(said.owner, "name"), system, said.monitored_by), checks)


def _checked(name: str | None, facts: list[str], checks: Mapping[str, str | None]) -> Line:
    failed = [check for check, outcome in checks.items() if outcome == "FAIL"]
    if not failed:
        return Line(named(name), facts, [])
    return Line(named(name), [*facts, f"Failed: {', '.join(failed)}"], [], f"{counted(len(failed), 'check')} failed", "warn")


def _service(said: remote.AccountService) -> Line:
    return Line(named(said.credential_display_name), _said(said.service, said.sub_account_id), [])


def _vendor(said: remote.ManagedVendor) -> Line:
    risk = said.inherent_risk and f"Inherent risk: {readable(said.inherent_risk).lower()}"
    findings = None if said.findings is None else counted(said.findings, "finding")
    days = _days(("Reviewed", said.last_reviewed_completed), ("Next review", said.next_security_review_due_date))
    return Line(named(said.name), _said(said.vendor_category, risk, findings), days, readable(said.status or ""))


def _code_change(said: remote.CodeChange) -> Line:
    facts = _said(said.repository, said.identifier, readable(said.source or ""))
    return Line(named(said.title), facts, _days(("Opened", said.opened_date), ("Closed", said.closed_date)))


def _issue(said: remote.IssueItem) -> Line:
    days = _days(("Detected", said.detected_at), ("Due", said.due_date))
    return Line(named(said.title), _said(said.readable_issue_id, said.description), days, readable(said.status or ""))


def _risk(said: remote.SnapshotRisk) -> Line:
    scores = [("Inherent risk", said.inherent_risk), ("residual risk", said.residual_risk)]
    told = ", ".join(f"{label} {score:g}" for label, score in scores if score is not None)
    facts = _said(told, readable(said.treatment or ""), _name_in(said.owner, "displayName"))
    return Line(named(said.risk_scenario), facts, _days(("Identified", said.identified)), readable(said.review_status or ""))


def _older_person(said: Person) -> Line:
    status = said.employment.status if said.employment else None
    tasks = said.tasks_summary.status if said.tasks_summary else None
    return Line(named(said.name.display), _said(said.email_address, readable(tasks or "")), [], readable(status or ""))


def _older_vendor(said: Vendor) -> Line:
    risk = said.inherent_risk_level and f"Inherent risk: {readable(said.inherent_risk_level).lower()}"
    days = _days(("Reviewed", said.last_security_review_completion_date), ("Next review", said.next_security_review_due_date))
    return Line(named(said.name), _said(_name_in(said.category, "displayName"), risk), days, readable(said.status))


def _older_computer(said: inventory.MonitoredComputer) -> Line:
    system = " ".join(_said(*(_name_in(said.operating_system, key) for key in ("type", "version"))))
    checks = {
        "passwords": _name_in(said.password_manager, "outcome"),
        "encryption": _name_in(said.disk_encryption, "outcome"),
        "antivirus": _name_in(said.antivirus_installation, "outcome"),
        "screen lock": _name_in(said.screenlock, "outcome"),
    }
    return _checked(said.serial_number or said.udid, _said(_name_in(said.owner, "displayName"), system), checks)


def _vulnerability(said: inventory.Vulnerability) -> Line:
    fix = {True: "Fix available", False: "No fix yet"}.get(said.is_fixable) if said.is_fixable is not None else None
    days = _days(("Found", said.first_detected_date), ("Remediate by", said.remediate_by_date))
    return Line(named(said.name), _said(said.package_identifier, fix), days, readable(said.severity or ""))


def _remediation(said: inventory.VulnerabilityRemediation) -> Line:
    days = _days(("Found", said.detected_date), ("Deadline", said.sla_deadline_date), ("Remediated", said.remediation_date))
    return Line(named(said.vulnerability_id), [], days, (said.severity or "").capitalize())


def _asset(said: inventory.VulnerableAsset) -> Line:
    scanned = "Not scanned" if said.has_been_scanned is False else ""
    return Line(named(said.name), _said(readable(said.asset_type or ""), scanned), [])


def _read(model: type[Remote], line: Callable[[Any], Line], payload: Any) -> Line:
    return line(model.read(payload))


def _of(label: str, endpoint: Callable[[Any], Any], model: type[Remote], line: Callable[[Any], Line], **how: bool) -> Any:
    return OrganizationList(label, _walk(endpoint), partial(_read, model, line), **how)


LISTS: dict[PartKind, OrganizationList] = {
    PartKind.INFORMATION: OrganizationList("Organization", _information, _information_line),
    PartKind.PEOPLE: _of("People", lambda audits: audits.personnel.people, remote.AuditPerson, _person),
    PartKind.GROUPS: _of("Groups", lambda audits: audits.personnel.groups, remote.AuditGroup, _group),
    PartKind.COMPUTERS: _of("Computers", lambda audits: audits.personnel.computers, remote.Computer, _computer),
    PartKind.SERVICES: _of("Services with accounts", lambda audits: audits.personnel.services, remote.AccountService, _service),
    PartKind.VENDORS: _of("Vendors", lambda audits: audits.managed_vendors.all, remote.ManagedVendor, _vendor),
    PartKind.INTEGRATIONS: _of(
        "Integrations", lambda audits: audits.organization.integrations, remote.AuditIntegration, _integration
    ),
    PartKind.CODE_CHANGES: _of(
        "Code changes", lambda audits: audits.organization.code_changes, remote.CodeChange, _code_change
    ),
    PartKind.ISSUES: _of("Issues", lambda audits: audits.issues.all, remote.IssueItem, _issue),
    PartKind.RISKS: OrganizationList("Risks", _risks, partial(_read, remote.SnapshotRisk, _risk)),
    PartKind.OLDER_PEOPLE: _of("People", lambda audits: audits.legacy.people, Person, _older_person, is_legacy=True),
    PartKind.OLDER_VENDORS: _of("Vendors", lambda audits: audits.legacy.vendors, Vendor, _older_vendor, is_legacy=True),
    PartKind.OLDER_COMPUTERS: _of(
        "Computers",
        lambda audits: audits.legacy.monitored_computers,
        inventory.MonitoredComputer,
        _older_computer,
        is_legacy=True,
    ),
    PartKind.VULNERABILITIES: _of(
        "Vulnerabilities", lambda audits: audits.legacy.vulnerabilities, inventory.Vulnerability, _vulnerability, is_legacy=True
    ),
    PartKind.REMEDIATIONS: _of(
        "Remediations",
        lambda audits: audits.legacy.vulnerability_remediations,
        inventory.VulnerabilityRemediation,
        _remediation,
        is_legacy=True,
    ),
    PartKind.ASSETS: _of(
        "Assets", lambda audits: audits.legacy.vulnerable_assets, inventory.VulnerableAsset, _asset, is_legacy=True
    ),
}
