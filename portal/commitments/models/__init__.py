"""What was promised, and what is our standard."""

from portal.commitments.models.commitments import Commitment, CommitmentQuerySet
from portal.commitments.models.standards import Standard
from portal.commitments.models.terms import Term, Unit

__all__ = ["Commitment", "CommitmentQuerySet", "Standard", "Term", "Unit"]
