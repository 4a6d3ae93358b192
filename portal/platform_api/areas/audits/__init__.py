"""Audits, for applications of auditor firms (specification 4.7, platform-api 4.13)."""

from portal.platform_api.areas.audits.audits import Auditors, Audits

__all__ = ["Auditors", "Audits"]
