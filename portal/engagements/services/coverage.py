"""Whether the tenant's grant is one of an audit firm: only its applications may read audits (specification section 5)."""

from portal.connections.areas import AUDITS
from portal.connections.services import connection_of_tenant


def covers_audits() -> bool:
    """Say whether the tenant in scope was connected with the scopes of an auditor's application."""
    return AUDITS.is_granted_by(connection_of_tenant())
