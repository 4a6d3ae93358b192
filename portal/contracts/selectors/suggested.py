"""What a contract's text says about its own term, renewal and notice, offered for its own fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from portal.contracts.dates import length_words, months_later
from portal.contracts.models import Contract, ContractPage, Terms
from portal.contracts.term_patterns import VERSION, FoundTerm, OwnTerm, find_own_terms
from portal.page_refresh.services import cached_for_version
from portal.users.dates import stored

MAX_PAGES = 400
"""Own terms stand at the front or at the end of a contract, and no contract is longer."""
LABELS = {
    OwnTerm.INITIAL: "Initial term",
    OwnTerm.END: "Ends",
    OwnTerm.RENEWAL: "Renews automatically",
    OwnTerm.NOTICE: "Notice period",
}


@dataclass(frozen=True)
class SuggestedTerm:
    """Something that the text says, with what it means for the fields."""

    key: str
    label: str
    description: str
    page: int
    quote: str
    values: Mapping[str, Any]
    """By the names of the form; empty: a person has to work it out."""


def suggested_terms(contract: Contract, terms: Terms) -> list[SuggestedTerm]:
    """Return what the text says and is not noted yet."""
    if contract.read_at is None:
        return []
    version = f"own-terms:{contract.pk}:{contract.read_at.isoformat()}:{VERSION}"
    found = cached_for_version(version, "found", lambda: _find(contract))
    has_end = any(each.term == OwnTerm.END for each in found)
    wanted = [each for each in found if not (has_end and each.term == OwnTerm.INITIAL)]
    return [each for each in (_suggested(one, contract) for one in wanted) if not _is_noted(each, terms)]


def chosen_values(suggested: Iterable[SuggestedTerm], keys: Sequence[str]) -> dict[str, Any]:
    """Return what the form is filled in with for those that a person wants to use."""
    return {name: value for each in suggested if each.key in keys for name, value in each.values.items()}


def _find(contract: Contract) -> list[FoundTerm]:
    rows = ContractPage.objects.filter(contract=contract).order_by("number").values_list("number", "text")
    return find_own_terms(rows[:MAX_PAGES])


def _suggested(found: FoundTerm, contract: Contract) -> SuggestedTerm:
    length = length_words(found.number, found.unit) if found.number else ""
    values: dict[str, Any]
    match found.term:
        case OwnTerm.END:
            words, values = stored(found.on) if found.on else "", {"ends_on": found.on}
        case OwnTerm.RENEWAL:
            words, values = f"for {length} each time", {"renews_itself": True, "renewal_months": found.number}
        case OwnTerm.NOTICE:
            words, values = length, {"notice_number": str(found.number), "notice_unit": found.unit}
        case _ if contract.executed_on:
            # A year from 1 March on ends with the last day of February.
            ends_on = months_later(contract.executed_on, found.number) - timedelta(days=1)
            words = f"{length} from {stored(contract.executed_on)}: ends {stored(ends_on)}"
            values = {"ends_on": ends_on}
        case _:
            words, values = f"{length}; enter the end date, because the executed date is not known", {}
    return SuggestedTerm(found.term.value, LABELS[found.term], words, found.page, found.quote, values)


def _is_noted(suggested: SuggestedTerm, terms: Terms) -> bool:
    noted = {"notice_number": str(terms.notice_number or "")}
    values = suggested.values or ({"ends_on": terms.ends_on} if terms.ends_on else {})
    return bool(values) and all(noted.get(name, getattr(terms, name)) == value for name, value in values.items())
