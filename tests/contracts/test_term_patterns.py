"""A contract's own term, renewal and notice in clauses as lawyers write them; and what must not be taken for them."""

import time

import pytest

from portal.contracts.term_patterns import find_own_terms

pytestmark = pytest.mark.once


def told(text: str) -> set[str]:
    found = find_own_terms([(1, text)])
    return {f"{each.term}: {each.on.isoformat() if each.on else f'{each.number} {each.unit}'}" for each in found}


GOOD = {
    # The initial term.
    "This Agreement shall have an initial term of three (3) years from the Effective Date.": {"initial: 36 months"},
    "The initial term of this Agreement is twelve (12) months.": {"initial: 12 months"},
    "This Agreement commences on the Effective Date and continues for an Initial Term of 24 months.": {"initial: 24 months"},
    "The Initial Subscription Term shall be one (1) year.": {"initial: 12 months"},
    "This Contract shall remain in force for a period of 36 months.": {"initial: 36 months"},
    "The term of this Agreement is five years from the date of signature.": {"initial: 60 months"},
    "This Order Form has a term of eighteen months.": {"initial: 18 months"},
    "The original term is a period of two (2) years, unless ended earlier.": {"initial: 24 months"},
    # The end.
    "This Agreement shall continue in effect until December 31, 2026.": {"end: 2026-12-31"},
    "This Agreement expires on 30 June 2027.": {"end: 2027-06-30"},
    "The term of this Agreement ends on 2026-09-30.": {"end: 2026-09-30"},
    "This Order Form remains in force through March 1st, 2028.": {"end: 2028-03-01"},
    "The Contract terminates on the 15th day of May, 2026 unless extended in writing.": {"end: 2026-05-15"},
    "The Initial Term expires on 31 January 2027.": {"end: 2027-01-31"},
    # Renewal.
    "Thereafter it automatically renews for successive one (1) year terms.": {"renewal: 12 months"},
    "This Agreement will renew automatically for additional periods of twelve (12) months.": {"renewal: 12 months"},
    "The Subscription Term shall automatically renew for successive periods of 24 months each.": {"renewal: 24 months"},
    "This Agreement is automatically extended by a further year.": set(),  # no number stands there
    "This Agreement shall be automatically extended by one year at a time.": {"renewal: 12 months"},
    "The term is tacitly renewed for further periods of six months.": {"renewal: 6 months"},
    "Upon expiry the Agreement shall automatically renew from year to year.": {"renewal: 12 months"},
    "The Agreement renews automatically on an annual basis.": {"renewal: 12 months"},
    "Each Order Form will automatically renew for additional one-year terms.": {"renewal: 12 months"},
    "It shall be renewed automatically for a renewal term of three (3) months.": {"renewal: 3 months"},
    # Notice.
    "Either party may prevent renewal by giving ninety (90) days' prior written notice of non-renewal.": {"notice: 90 days"},
    "A party gives notice of its intention not to renew at least 60 days before the end of the then-current term.": {
        "notice: 60 days"
    },
    "Notice of non-renewal must be received no later than three months prior to the expiration of the current term.": {
        "notice: 3 months"
    },
    "Customer shall notify Provider in writing of its decision not to renew thirty (30) days prior to the renewal date.": {
        "notice: 30 days"
    },
    "Not less than six (6) weeks’ notice before the end of the Initial Term is required.": {"notice: 42 days"},
    "Notice shall be given one hundred and twenty (120) days before the expiry of the term.": {"notice: 120 days"},
    "Written notice of non-renewal: 45 days before the end of each renewal term.": {"notice: 45 days"},
    "The term ends unless the Customer gives one month’s notice prior to the end of the term.": {"notice: 1 months"},
    # Several in one.
    "This Agreement has an initial term of three (3) years and thereafter automatically renews for successive one (1) year "
    "terms unless either party gives ninety (90) days' written notice of non-renewal before the end of the current term.": {
        "initial: 36 months",
        "renewal: 12 months",
        "notice: 90 days",
    },
    "The Initial Term is 12 months. It renews automatically for successive terms of 12 months. Either party may give notice of "
    "non-renewal 60 days before the end of a term.": {"initial: 12 months", "renewal: 12 months", "notice: 60 days"},
    "Unless a party notifies the other of its intent not to renew at least sixty (60) days before the end of the current term, "
    "this Agreement shall automatically renew for additional terms of one (1) year.": {"renewal: 12 months", "notice: 60 days"},
    "This Agreement continues for an initial term of two years and will be automatically extended for successive periods "
    "of one year, unless terminated by either party upon 3 months' notice before the end of the respective term.": {
        "initial: 24 months",
        "renewal: 12 months",
        "notice: 3 months",
    },
}
BAD = [
    "Either party may terminate this Agreement for convenience upon thirty (30) days' prior written notice.",
    "Either party may terminate if the other fails to cure a material breach within thirty (30) days of notice.",
    "Provider shall give at least 30 days' prior written notice of any new sub-processor.",
    "Provider may increase fees upon sixty (60) days' notice before the end of the then-current term.",
    "Provider shall notify Customer of a Personal Data Breach within seventy-two (72) hours.",
    "Customer shall pay each invoice within thirty (30) days.",
    "This Agreement shall not automatically renew.",
    "This Agreement may be renewed for one (1) year by mutual written agreement.",
    "Customer has the option to renew for additional periods of twelve months.",
    "TLS certificates are renewed automatically every three months.",
    "The insurance policy is automatically renewed for successive periods of one year.",
    "The confidentiality obligations survive for a period of five (5) years after termination of this Agreement.",
    "This Agreement is entered into on January 1, 2024.",
    "This Agreement is effective as of March 1, 2024.",
    "Audit logs are retained for at least twelve months.",
    "All Personal Data is deleted within ninety (90) days after the end of this Agreement.",
    "Customer may audit Provider once per calendar year upon thirty (30) days' notice.",
    "The warranty term is two (2) years.",
    "Customer may export its data for thirty (30) days after the end of the term.",
    "The ISO certificate expires on 31 December 2026.",
    "The invoice is due on 30 June 2026.",
    "This document was last updated on 1 May 2025.",
    "Passwords expire after ninety days.",
    "Force majeure that continues for more than sixty (60) days allows either party to terminate this Agreement by notice.",
    "The parties meet for three days each year.",
    "The Provider keeps 99.9% availability during the initial term.",
    "Payment terms: net thirty (30) days.",
    "Changes of prices are announced three months before they take effect.",
    "Reports are due through March 31, 2026.",
    "This Agreement is dated 31 December 2025.",
]


@pytest.mark.parametrize(("text", "wanted"), GOOD.items(), ids=[text[:50] for text in GOOD])
def test_it_finds_what_a_contract_says_about_itself(text, wanted):
    assert told(text) == wanted


@pytest.mark.parametrize("text", BAD, ids=[text[:50] for text in BAD])
def test_it_leaves_other_lengths_and_dates_alone(text):
    assert told(text) == set()


def test_it_says_where_it_stands():
    pages = [(1, "Title."), (2, "This Agreement shall have an initial term of three (3) years.")]
    [found] = find_own_terms(pages)
    assert (found.page, found.quote) == (2, "This Agreement shall have an initial term of three (3) years.")


def test_the_first_one_counts():
    text = "The initial term is one year. The initial term is two years."
    assert told(text) == {"initial: 12 months"}


@pytest.mark.parametrize("text", ["automatically renew " * 9_000, "notice of non-renewal one (1) " * 9_000, "until " * 20_000])
def test_hostile_pages_cost_little(text):
    began = time.monotonic()
    find_own_terms([(1, text)])
    assert time.monotonic() - began < 5
