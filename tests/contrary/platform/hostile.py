"""Texts that want something done by whoever shows them, in every field of the platform's objects that holds words."""

import re
from typing import Any, Final

from tests.contrary.platform.world import World

MARK: Final = "kqmark"
"""The name of an element and of an attribute that nobody has: where a page has one, a text was taken for markup."""
EVALUATED: Final = "KQKQ"
"""Stands where a template has worked out a text."""
HOSTILE: Final = (
    f' "><{MARK}> {{{{ "kqkq"|upper }}}} \' {MARK}=1 onfocus={MARK}() autofocus '
    f"--></script></style></title></textarea></template><{MARK}><img src=x onerror={MARK}()><svg onload={MARK}()>"
    "\u202e\u2066\x00"
)
"""An end for each place that a text can stand in, then markup; and what turns a line around, and ends a string in C."""
KEPT: Final = re.compile(
    r"id|.*(?<!external)Ids?|requestedResources|references|.*email.*|.*date|createdAt|lastUpdated|type", re.IGNORECASE
)
"""Fields that hold no words: ids, addresses, times, the types of a schema."""
ENUMERATED: Final = re.compile("[A-Z][A-Z_]+")
"""A word of a list that grows without notice: every third of them is hostile, the others put objects where they belong."""
THIRD: Final = 3


def make_hostile(world: World) -> None:
    """Put it behind every text of every object; the same everywhere, so that a value is still one of its choices."""
    ids = {object_id for objects in world.kinds.values() for object_id in objects}
    for objects in world.kinds.values():
        for number, object_id in enumerate(list(objects)):
            objects[object_id] = _hostile("", objects[object_id], ids, is_third=number % THIRD == 1)


def _hostile(name: str, value: Any, ids: set[str], *, is_third: bool) -> Any:
    if isinstance(value, dict):
        return {key: _hostile(key, each, ids, is_third=is_third) for key, each in value.items()}
    if isinstance(value, list):
        return [_hostile(name, each, ids, is_third=is_third) for each in value]
    if not isinstance(value, str) or not value or value in ids or KEPT.fullmatch(name):
        return value
    return value if ENUMERATED.fullmatch(value) and not is_third else value + HOSTILE
