"""Audits (platform-api 4.13)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
