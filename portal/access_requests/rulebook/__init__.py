"""The arithmetic of rules: what is known of a request, what a rule asks for, what follows. It knows no database and no tenant.

The dry run and the real thing call the same `decide` with the same kind of `Facts`.
"""

from portal.access_requests.rulebook.book import ACT_LABELS, ACT_TONES, Action, Level, Nda, Rule, RuleBook
from portal.access_requests.rulebook.conditions import AccountIs, Conditions, DomainIs
from portal.access_requests.rulebook.decisions import Act, Verdict, decide
from portal.access_requests.rulebook.facts import AccountMatch, Facts

__all__ = [
    "ACT_LABELS",
    "ACT_TONES",
    "AccountIs",
    "AccountMatch",
    "Act",
    "Action",
    "Conditions",
    "DomainIs",
    "Facts",
    "Level",
    "Nda",
    "Rule",
    "RuleBook",
    "Verdict",
    "decide",
]
