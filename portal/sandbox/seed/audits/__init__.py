"""Makes the audits of a tenant with everything an auditor finds in them."""

from collections.abc import Iterator

from portal.sandbox.seed.audits import audits, evidence, organization, requests
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.shapes import Batch


def build(cast: Cast) -> Iterator[Batch]:
    """Walk the audits, the oldest first, each with what belongs to it."""
    made = audits.build_audits(cast)
    yield "audits", None, made
    for audit in made:
        controls = audits.build_controls(cast, audit)
        yield "audit-controls", audit["id"], controls
        yield from audits.build_comments(cast, audit, controls)
        yield from evidence.build_evidence(cast, audit, controls)
        yield from requests.build_requests(cast, audit, controls)
        yield from organization.build_organization(cast, audit)
