"""What keys are called on pages: mail domains, documents and pages, countries."""

from collections.abc import Callable, Iterable, Mapping

from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_domain
from portal.page_refresh.services import cached_by_version
from portal.tenants.personal_data import fold
from portal.trust_center_activity.models import AREA, TYPES, Conversation, DailySum, Subject
from portal.trust_center_activity.normalization import ANONYMOUS

MAX_OPTIONS = 200
NOTHING_NAMED = "No specific content"
RESOURCE = "resource:"
BY_DOMAIN = "domain>event_type"
UNKNOWN_DOCUMENT = "Unknown document"

type Titles = Callable[[set[str]], Mapping[str, str]]
_titles: list[Titles] = []


def register_titles(titles: Titles) -> None:
    """Say what documents are called that nobody has looked at: from the desk that has copies, in its `AppConfig.ready`."""
    _titles[:] = [titles]


def domain_names(domains: Iterable[str]) -> dict[str, str]:
    """Name mail domains by their accounts; one that no account names, or more than one, is shown as itself."""
    wanted = set(domains)
    accounts = accounts_by_domain(wanted)
    return {domain: str(accounts.get(domain, domain or ANONYMOUS)) for domain in wanted}


def domain_named(text: str) -> str:
    """Read what somebody wrote for a company: its mail domain, an address of it, or the name of its account."""
    domain = fold(text).rpartition("@")[2]
    if not domain:
        return ""
    named = Account.objects.present().filter(name__iexact=text).exclude(domain="").first()
    # A company may be called like the domain of another one, from which visitors came.
    if named is None or DailySum.objects.filter(cut=BY_DOMAIN, key=domain).exists():
        return domain
    if Conversation.objects.filter(domain=domain).exists():
        return domain
    return named.domain


def subject_names(keys: Iterable[str]) -> dict[str, str]:
    """Name what was looked at."""
    wanted = set(keys)
    known = dict(Subject.objects.filter(key__in=wanted).values_list("key", "title"))
    documents = document_names(key.removeprefix(RESOURCE) for key in wanted - known.keys() if key.startswith(RESOURCE))
    return {key: known.get(key) or documents.get(key.removeprefix(RESOURCE)) or _word_of(key) for key in wanted}


def _word_of(key: str) -> str:
    """Return what the platform calls a page that has no title here."""
    return key.partition(":")[2] or NOTHING_NAMED


def document_names(resource_ids: Iterable[str]) -> dict[str, str]:
    """Name documents by their ids, where anything here knows them."""
    wanted = set(resource_ids)
    seen = dict(Subject.objects.filter(key__in=[RESOURCE + each for each in wanted]).values_list("key", "title"))
    copied: dict[str, str] = {}
    for titles in _titles:
        copied |= titles(wanted)
    return {each: copied.get(each) or seen.get(RESOURCE + each) or UNKNOWN_DOCUMENT for each in wanted}


def type_names(types: Iterable[str]) -> dict[str, str]:
    return {each: TYPES.get(each, each or "Not named") for each in types}


def subject_options() -> dict[str, str]:
    return dict(Subject.objects.values_list("key", "title")[:MAX_OPTIONS])


def country_options() -> dict[str, str]:
    return cached_by_version(AREA, "countries", lambda: {each: each for each in _keys("country>event_type") if each})


def domain_options() -> dict[str, str]:
    """Return domains to choose from, each with the name of its account."""
    return cached_by_version(AREA, "domains", lambda: domain_names(each for each in _keys(BY_DOMAIN) if each))


def _keys(cut: str) -> list[str]:
    return list(DailySum.objects.filter(cut=cut).order_by("key").values_list("key", flat=True).distinct()[:MAX_OPTIONS])
