from portal.audit.services import record
from portal.incidents.models import Incident
from portal.incidents.services.incident_log import check, note
from portal.tenants.models import Membership


def note_export(incident: Incident, what: str, *, member: Membership) -> None:
    """Write down who took a plan or a log as a file (guarantee S8)."""
    check(member)
    note(incident, "export", f"Exported the {what} of the incident {incident}.", member=member)


def note_list_export(*, member: Membership) -> None:
    """Write down who took the list of incidents as a file."""
    check(member)
    record("incident.export", target=("incidents", "list"), summary="Exported the list of incidents.", actor=member.user)
