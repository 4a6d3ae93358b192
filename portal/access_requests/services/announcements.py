"""Nothing is switched on unannounced: a change that would decide waiting requests needs a person's choice (guarantee R6)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from portal.access_requests.facts import Marks
from portal.access_requests.models import AccessRequest
from portal.access_requests.rule_effects import Effects, added_effects
from portal.access_requests.rulebook import RuleBook
from portal.lib.counted import counted

ONLY_NEW, WAITING_TOO = "new", "waiting"
SCOPES = (ONLY_NEW, WAITING_TOO)


@dataclass(frozen=True)
class Choice:
    """What a person chose who was shown what would be decided."""

    scope: str
    seen: str = ""
    """The digest of the list that was shown."""


class DecidesWaiting(Exception):
    """The change would decide requests that wait, and nobody has chosen that; or these are others than were shown."""

    def __init__(self, effects: Effects, book: RuleBook, *, was_shown: bool) -> None:
        super().__init__(counted(effects.number, "waiting request"))
        self.effects = effects
        self.book = book
        """The rules as they would be."""
        self.was_shown = was_shown


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A change of the rules, or of the marks that they go by, which has not been made yet."""

    before: RuleBook
    after: RuleBook
    marks: Marks | None = None
    """Those after the change, where it changes them."""
    limits: Collection[str] = ()
    """The rules that "only new" is about besides those that would decide something now."""
    is_stopped: bool = False
    """While the rules are stopped nothing is decided, and nothing has to be chosen: starting them asks."""

    def effects(self, *, at_most: int | None = None) -> Effects:
        """Look at all that waits, which takes a while where much does. Raises TooManyWait."""
        return Effects() if self.is_stopped else added_effects(self.before, self.after, marks=self.marks, at_most=at_most)


def announced(proposal: Proposal, effects: Effects, choice: Choice | None) -> RuleBook:
    """Return the rules to write: those proposed, or with "only new" the same with the moment from which they count.

    Raises DecidesWaiting.
    """
    if choice and choice.scope == ONLY_NEW:
        return proposal.after.acting_from(new_from().isoformat(), {*proposal.limits, *effects.rule_ids})
    if effects.number and (choice is None or choice.seen != effects.digest):
        raise DecidesWaiting(effects, proposal.after, was_shown=choice is not None)
    return proposal.after


def new_from() -> datetime:
    """Return the moment after which a request is new. The platform's clock may be ahead: never before one that is here."""
    latest = AccessRequest.objects.present().pending().aggregate(latest=Max("created_at"))["latest"]
    return max(timezone.now(), latest) if latest else timezone.now()
