"""What the form of a new questionnaire offers: accounts, and the tags that stand on this tenant's questionnaires.

They are called by their names where the grant covers those (`Label`); else an account by its newest questionnaire and a tag by
its ids.
"""

from collections import Counter
from dataclasses import dataclass

from portal.live.services import kept
from portal.questionnaires.models import ACCOUNT, TAG, Label, Questionnaire

NEWEST = 500
"""So many questionnaires are looked at: what none of them has is hardly what is wanted now."""
MOST_ACCOUNTS, MOST_TAGS = 200, 20

type Tag = tuple[str, str]
"""Category and tag."""


@dataclass(frozen=True)
class Offers:
    """What can be chosen without knowing an id."""

    accounts: list[tuple[str, str]]
    """Ids with what they are called."""
    tags: list[tuple[Tag, str]]
    """Those that are used most first, with what they are called."""


def offers() -> Offers:
    return kept("questionnaires", "offers", _look)


def _look() -> Offers:
    rows = Questionnaire.objects.present().order_by("-updated_at", "-id").values_list("account_id", "name", "payload")
    accounts: dict[str, str] = {}
    tags: Counter[Tag] = Counter()
    for account_id, name, payload in rows[:NEWEST]:
        if account_id:
            accounts.setdefault(account_id, name)
        tags.update(_tags_of(payload))
    named = dict(Label.objects.filter(kind=ACCOUNT).values_list("platform_id", "name")[:MOST_ACCOUNTS])
    return Offers([*(named or accounts).items()][:MOST_ACCOUNTS], _called([tag for tag, _ in tags.most_common(MOST_TAGS)]))


def _called(tags: list[Tag]) -> list[tuple[Tag, str]]:
    rows = Label.objects.filter(kind=TAG, platform_id__in=[tag for _, tag in tags])
    names = {(row.category_id, row.platform_id): row.name for row in rows}
    return [(tag, names.get(tag, " / ".join(tag))) for tag in tags]


def _tags_of(payload: dict[str, object]) -> set[Tag]:
    listed = payload.get("tagAndCategoryIds")
    entries = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {(str(each["categoryId"]), str(each["tagId"])) for each in entries if each.get("categoryId") and each.get("tagId")}
