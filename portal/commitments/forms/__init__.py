"""What people type about promises and about our standard."""

from portal.commitments.forms.commitments import CommitmentForm
from portal.commitments.forms.promises import PromiseForm
from portal.commitments.forms.standards import StandardForm

__all__ = ["CommitmentForm", "PromiseForm", "StandardForm"]
