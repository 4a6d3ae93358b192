"""Computers, and assets with their vulnerabilities (platform-api 4.13)."""

from typing import Any

from pydantic import Field

from portal.platform_api.models.remote import Listed, Moment


class MonitoredComputer(Listed):
    """A computer that somebody watches; each check has an outcome."""

    integration_id: str | None = None
    last_check_date: Moment | None = None
    screenlock: dict[str, Any] | None = None
    disk_encryption: dict[str, Any] | None = None
    password_manager: dict[str, Any] | None = None
    antivirus_installation: dict[str, Any] | None = None
    operating_system: dict[str, Any] | None = None
    owner: dict[str, Any] | None = None
    serial_number: str | None = None
    udid: str | None = None


class Vulnerability(Listed):
    """A weakness of an asset; it is looked at no more while `deactivate_metadata` is there."""

    name: str = ""
    description: str | None = None
    integration_id: str | None = None
    package_identifier: str | None = None
    vulnerability_type: str | None = None
    target_id: str | None = None
    first_detected_date: Moment | None = None
    source_detected_date: Moment | None = None
    last_detected_date: Moment | None = None
    severity: str | None = None
    cvss_severity_score: float | None = None
    scanner_score: float | None = None
    is_fixable: bool | None = None
    remediate_by_date: Moment | None = None
    related_vulns: list[str] = []
    related_urls: list[str] = []
    external_url: str | None = Field(default=None, validation_alias="externalURL")
    scan_source: str | None = None
    deactivate_metadata: dict[str, Any] | None = None


class VulnerabilityRemediation(Listed):
    """How far a vulnerability is remediated; the severity is in lower case."""

    vulnerability_id: str | None = None
    vulnerable_asset_id: str | None = None
    severity: str | None = None
    detected_date: Moment | None = None
    sla_deadline_date: Moment | None = None
    remediation_date: Moment | None = None


class VulnerableAsset(Listed):
    """Something that can have vulnerabilities, as its scanners see it."""

    name: str = ""
    asset_type: str | None = None
    has_been_scanned: bool | None = None
    image_scan_tag: str | None = None
    scanners: list[dict[str, Any]] = []
