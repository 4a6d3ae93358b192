"""Vendors and their parts (platform-api 4.7)."""

from portal.sandbox.kinds.kind import Kind

KINDS: tuple[Kind, ...] = ()
