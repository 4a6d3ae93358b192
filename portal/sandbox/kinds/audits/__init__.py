"""Audits (platform-api 4.13)."""

from portal.sandbox.kinds.audits import audits, controls, evidence, information_requests, legacy, organization
from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = (
    *audits.KINDS,
    *controls.KINDS,
    *evidence.KINDS,
    *information_requests.KINDS,
    *organization.KINDS,
    *legacy.KINDS,
)
