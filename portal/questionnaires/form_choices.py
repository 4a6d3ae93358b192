"""What the form of a new questionnaire offers: accounts, and the tags that stand on this tenant's questionnaires.

They are called by their names where the grant covers those; else an account by its newest questionnaire and a tag by its id.
"""

from collections import Counter
from dataclasses import dataclass

from portal.accounts.models import Account
from portal.accounts.tags import Tag, name_tags, tags_in
from portal.page_refresh.services import cached_by_version
from portal.questionnaires.models import ACCOUNT, TAG, Label, Questionnaire

NEWEST = 500
"""So many questionnaires are looked at: what none of them has is hardly what is wanted now."""
COLUMNS = ("platform_id", "name", "domain")
MAX_ACCOUNTS, MAX_TAGS = 200, 20


@dataclass(frozen=True)
class Offers:
    """What can be chosen without knowing an id."""

    accounts: list[tuple[str, str]]
    """Ids with what they are called; no two are called the same."""
    tags: list[tuple[Tag, str]]
    """Those that are used most first, with what they are called."""


def offers() -> Offers:
    return cached_by_version("questionnaires", "offers", _look)


def _look() -> Offers:
    rows = Questionnaire.objects.present().order_by("-updated_at", "-id").values_list("account_id", "name", "payload")
    accounts: dict[str, str] = {}
    tags: Counter[Tag] = Counter()
    for account_id, name, payload in rows[:NEWEST]:
        if account_id:
            accounts.setdefault(account_id, name)
        tags.update(tags_in(payload.get("tagAndCategoryIds")))
    named = list(Account.objects.present().exclude(name="").order_by("name_sort", "id").values_list(*COLUMNS)[:MAX_ACCOUNTS])
    named = named or [(row.platform_id, row.name, "") for row in Label.objects.filter(kind=ACCOUNT)[:MAX_ACCOUNTS]]
    named = named or [(key, name, "") for key, name in accounts.items()][:MAX_ACCOUNTS]
    return Offers(_told_apart(named), _called([tag for tag, _ in tags.most_common()]))


def _told_apart(accounts: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """Call accounts by their names; of several with one name each with its mail domain, or with its id."""
    names = Counter(name.casefold() for _, name, _ in accounts)
    longer = Counter((name.casefold(), domain) for _, name, domain in accounts)

    def called(key: str, name: str, domain: str) -> str:
        if names[name.casefold()] == 1:
            return name
        return f"{name} ({domain if domain and longer[name.casefold(), domain] == 1 else key})"

    return [(account[0], called(*account)) for account in accounts]


def account_called(words: str) -> str:
    """Return the id of the account that a person means by its name; the words themselves where no name is like them.

    They may be an id: the grant need not cover the accounts, and a new one is not copied yet. Raises LookupError where several
    have the name.
    """
    offered = {name.casefold(): key for key, name in offers().accounts}
    if key := offered.get(words.casefold()):
        return key
    if Account.objects.present().filter(platform_id=words).exists():
        return words
    found = list(Account.objects.present().filter(name__iexact=words).values_list("platform_id", flat=True)[:2])
    if len(found) > 1:
        raise LookupError(words)
    return found[0] if found else words


def name_offered(account_id: str) -> str:
    """Return what a known account is called in the form, else its id."""
    return dict(offers().accounts).get(account_id, account_id)


def _called(tags: list[Tag]) -> list[tuple[Tag, str]]:
    """Call the first tags that the platform still has."""
    named = name_tags(tags)
    offered = [tag for tag in tags if not named[tag].is_removed][:MAX_TAGS]
    rows = Label.objects.filter(kind=TAG, platform_id__in=[tag for _, tag in offered])
    # Names read for this form: they are there before the desk of tags has copied its own.
    names = {(row.category_id, row.platform_id): row.name for row in rows}
    return [(tag, names.get(tag, named[tag].label)) for tag in offered]
