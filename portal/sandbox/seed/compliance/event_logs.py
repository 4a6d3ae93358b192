"""Makes the event log of the last weeks (platform-api 4.12)."""

from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.compliance.texts import ACTIONS
from portal.sandbox.seed.shapes import Json, ago, moment, new_id, pick

ENTRIES = 30


def build_event_logs(cast: Cast) -> list[Json]:
    """Make entries of users, applications and workflows, the oldest first."""
    content, identifiers = cast.content("event logs"), cast.identifiers("event logs")
    entries = []
    for number in range(ENTRIES):
        action, target = ACTIONS[number % len(ACTIONS)]
        actor = pick(content, (6, "USER"), (2, "APPLICATION"), (1, "WORKFLOW_GENERATED"))
        entry = {
            "id": new_id(identifiers),
            "actor": {"type": actor, "id": content.choice(cast.active_users)["id"] if actor == "USER" else new_id(identifiers)},
            "date": moment(ago(cast.now, content, days=(0.1, 45))),
            "action": action,
            "targets": [{"type": target, "id": new_id(identifiers)}],
        }
        entries.append(entry)
    return sorted(entries, key=lambda entry: str(entry["date"]))
