"""Which audit entries are writes at the platform. Desks say so from `AppConfig.ready`; the event log is searched for them."""

from collections.abc import Collection

from portal.audit.models import Entry

_actions: set[str] = set()
PARENT = "questionnaire"
"""The key of the details that names the object which the target is a part of: the platform's log may name either."""


def register_platform_actions(*actions: str) -> None:
    """These actions are confirmed writes at the platform, and their target's id is the platform's."""
    _actions.update(actions)


def platform_actions() -> Collection[str]:
    return _actions


def is_platform_write(entry: Entry) -> bool:
    return entry.action in _actions


def ids_at_platform(entry: Entry) -> list[str]:
    """Return the ids by which the platform's log may name what an entry is about."""
    parent = entry.details.get(PARENT)
    return [entry.target_id, *([parent] if isinstance(parent, str) and parent else [])]
