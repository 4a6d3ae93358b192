"""What was promised, what is our standard, what was found in texts, and where answers say another thing."""

from portal.commitments.models.commitments import Commitment, CommitmentQuerySet
from portal.commitments.models.contradictions import CheckProgress, Contradiction, ContradictionQuerySet, CustomerCheck
from portal.commitments.models.standards import Standard
from portal.commitments.models.suggestions import Reading, Suggestion, SuggestionQuerySet, SuggestionState
from portal.commitments.models.terms import COMPARED, NOTICES, TONES, Term, Unit, Verdict, promise_words

__all__ = [
    "COMPARED",
    "NOTICES",
    "TONES",
    "CheckProgress",
    "Commitment",
    "CommitmentQuerySet",
    "Contradiction",
    "ContradictionQuerySet",
    "CustomerCheck",
    "Reading",
    "Standard",
    "Suggestion",
    "SuggestionQuerySet",
    "SuggestionState",
    "Term",
    "Unit",
    "Verdict",
    "promise_words",
]
