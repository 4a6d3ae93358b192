"""Why a decision cannot be made, undone or confirmed."""

from portal.access_requests.models import Decision


class BeingDecided(Exception):
    """Somebody has decided this request already: it is scheduled, on its way, or the platform has yet to confirm it."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(str(decision))
        self.decision = decision


class DecidedElsewhere(Exception):
    """The request was decided before, by somebody else; the mirror shows how."""


class RequestGone(Exception):
    """The platform has no such request anymore."""


class TooLate(Exception):
    """A decision can no longer be undone, confirmed or rejected: it has left, or has ended."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(str(decision))
        self.decision = decision


class SamePerson(Exception):
    """The second approval cannot come from the first approver."""
