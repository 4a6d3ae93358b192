"""What the specification leaves open, and how this sandbox decides it: each a choice that can be switched (platform-api 6)."""

from collections.abc import Mapping

from portal.sandbox.store import Store

STRICT_SCOPES = "strict_scopes"
STRICT_TRANSITIONS = "strict_transitions"
RETRY_AFTER = "retry_after"
CONFLICT_FOR_VIEWERS = "conflict_for_viewers"
EVENTS_OF_CALLERS = "events_of_callers"
EVENT_ENVELOPE = "event_envelope"
LEGACY_ANSWERS = "legacy_answers"
ADVANCED_QUESTIONNAIRES = "advanced_questionnaires"
ERASES_AT_ONCE = "erases_at_once"
AUTO_APPROVAL = "auto_approval"

SWITCHES: dict[str, tuple[bool, str]] = {
    STRICT_SCOPES: (False, "Tokens open only the endpoints of their scopes, and integrations no management area (7.1)."),
    STRICT_TRANSITIONS: (False, "Questionnaires move along a table of transitions; other moves are refused with 422 (U9)."),
    RETRY_AFTER: (True, "A 429 says in Retry-After how long to wait (U2)."),
    CONFLICT_FOR_VIEWERS: (
        True,
        "Creating a viewer for a known address is a 409; off: the one that exists is answered (U17).",
    ),
    EVENTS_OF_CALLERS: (True, "Changes that come through the API fire events too (U26)."),
    EVENT_ENVELOPE: (False, "Deliveries come as {type, data} instead of the payload alone (specification 6.1.8)."),
    LEGACY_ANSWERS: (False, "Responses carry the deprecated field `answer` beside the parts (7.8)."),
    ADVANCED_QUESTIONNAIRES: (
        True,
        "Tenants have the advanced questionnaire feature; off: changing an approver is refused with 403 (4.1.4).",
    ),
    ERASES_AT_ONCE: (
        True,
        "A deletion request erases at once; off: it is taken, and the person stays listed (U27).",
    ),
    AUTO_APPROVAL: (
        False,
        "Requests from the domain of an account with auto-approval are historical from the start, and approved (4.5.2).",
    ),
}
"""The switches with what they are at first, and what being on means."""
SETTING = "switches"


class Switches:
    """Kept with everything else; what the process was started with counts for its life."""

    def __init__(self, store: Store, *, started_with: Mapping[str, bool]) -> None:
        self._store = store
        self._started_with = {name: value for name, value in started_with.items() if value}

    def __getitem__(self, name: str) -> bool:
        return self.current()[name]

    def current(self) -> dict[str, bool]:
        kept: dict[str, bool] = self._store.setting(SETTING, {})
        return {name: value for name, (value, _) in SWITCHES.items()} | self._started_with | kept

    def change(self, switches: Mapping[str, bool]) -> None:
        """Set some switches. Raises ValueError for an unknown one."""
        unknown = sorted(set(switches) - set(SWITCHES))
        if unknown:
            raise ValueError(f"unknown switches: {', '.join(unknown)}")
        kept: dict[str, bool] = self._store.setting(SETTING, {})
        self._store.set_setting(SETTING, kept | dict(switches))
