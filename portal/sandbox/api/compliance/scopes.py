"""Scopes that open documents besides those for everything (platform-api 2.6, 4.11)."""

WRITERS = ("svc-api.documents:write",)
READERS = ("svc-api.documents:read", "self:read-document", *WRITERS)
LISTERS = ("svc-api.documents:list", *READERS)
UPLOADERS = ("svc-api.documents:upload", "self:write-document", *WRITERS)
