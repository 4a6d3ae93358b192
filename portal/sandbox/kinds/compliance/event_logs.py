"""The event log (platform-api 4.12). Types and actions are open strings."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import MOMENT, STRING, array, record

PARTY = record(type=STRING, id=STRING)
EVENT_LOG = record(id=STRING, actor=PARTY, date=MOMENT, action=STRING, targets=array(PARTY))
KINDS = (Kind(name="event-logs", title="Event log entry", shape=EVENT_LOG),)
