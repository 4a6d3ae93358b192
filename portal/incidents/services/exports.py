from portal.incidents.models import Incident
from portal.incidents.services.incident_log import check, note
from portal.tenants.models import Membership


def note_export(incident: Incident, what: str, *, member: Membership) -> None:
    """Write down who took a plan or a log as a file (guarantee S8)."""
    check(member)
    note(incident, "export", f"Exported the {what} of the incident {incident}.", member=member)
