"""What the form of a new questionnaire offers: the accounts and tags that stand on this tenant's questionnaires.

The platform's accounts and tag categories have no copy here, so that only ids are known, and questionnaires to tell them
apart.
"""

from collections import Counter
from dataclasses import dataclass

from portal.live.services import kept
from portal.questionnaires.models import Questionnaire

NEWEST = 500
"""So many questionnaires are looked at: what none of them has is hardly what is wanted now."""
MOST_ACCOUNTS, MOST_TAGS = 200, 20


@dataclass(frozen=True)
class Seen:
    """What stands on the newest questionnaires."""

    accounts: list[tuple[str, str]]
    """Ids, with the name of the newest questionnaire of each."""
    tags: list[tuple[str, str]]
    """Category and tag, those that are used most first."""


def seen_lately() -> Seen:
    return kept("questionnaires", "offers", _look)


def _look() -> Seen:
    rows = Questionnaire.objects.present().order_by("-updated_at", "-id").values_list("account_id", "name", "payload")
    accounts: dict[str, str] = {}
    tags: Counter[tuple[str, str]] = Counter()
    for account_id, name, payload in rows[:NEWEST]:
        if account_id:
            accounts.setdefault(account_id, name)
        tags.update(_tags_of(payload))
    return Seen([*accounts.items()][:MOST_ACCOUNTS], [tag for tag, _ in tags.most_common(MOST_TAGS)])


def _tags_of(payload: dict[str, object]) -> set[tuple[str, str]]:
    listed = payload.get("tagAndCategoryIds")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {(str(each["categoryId"]), str(each["tagId"])) for each in entries if each.get("categoryId") and each.get("tagId")}
