"""Comments on information requests: deleted ones stay readable (specification 2.5, 4.7)."""

from portal.sandbox.api.audits.common import (
    COMMENT,
    NEW_TEXT,
    SINCE_CHANGE,
    commenting,
    recommenting,
    route,
    uncommenting,
)
from portal.sandbox.api.audits.information_requests import ONE as REQUEST
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.changes.audit_comments import ON_REQUEST
from portal.sandbox.kinds.audits import information_requests as kinds
from portal.sandbox.limits import AUDITOR_COMMENTS
from portal.sandbox.schemas import NAME, closed

PATH, KIND = f"{REQUEST}/comments", "request-comments"
ONE = f"{PATH}/<request_comment_id>"
DELETION = closed(email=NAME)
"""Documented for comments on controls only; taken here, and not asked for."""
ROUTES = (
    route("GET", PATH, listing(KIND, filters=[SINCE_CHANGE])),
    route("POST", PATH, commenting(ON_REQUEST), body=COMMENT, answer=kinds.COMMENT),
    route("GET", ONE, reading(KIND)),
    route("PATCH", ONE, recommenting(ON_REQUEST), body=NEW_TEXT, answer=kinds.COMMENT, bucket=AUDITOR_COMMENTS),
    route("DELETE", ONE, uncommenting(ON_REQUEST), body=DELETION, may_omit_body=True, status=204, bucket=AUDITOR_COMMENTS),
)
