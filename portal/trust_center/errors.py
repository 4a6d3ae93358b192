"""What can stand in the way of a change at this desk."""


class Gone(Exception):
    """The platform has no such object any more."""


class ChangedMeanwhile(Exception):
    """Somebody else has changed the object since the person read it. Our copy is what it is now."""


class AlreadyThere(Exception):
    """What was to be added is on the platform already."""


class GroupsNotSet(Exception):
    """A subscriber was added, but not put into groups; `reason` says why."""

    def __init__(self, platform_id: str, reason: Exception) -> None:
        super().__init__(platform_id)
        self.platform_id = platform_id
        self.reason = reason


class SameDocument(AlreadyThere):
    """A document of this title and this file name is on the platform already: which file it has cannot be told apart."""


class BadgeRefused(Exception):
    """The platform has read the file of a badge and did not take it."""


class TooLate(Exception):
    """What was to be undone has left, or has ended already."""
