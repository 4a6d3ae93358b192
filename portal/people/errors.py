"""What can stand in the way of a change at this desk."""

from portal.people.models import Group


class Gone(Exception):
    """The platform has no such person or group any more."""


class NotPossible(Exception):
    """The change makes no sense; the message says why."""


class AlreadyThere(Exception):
    """The platform has a group of this name."""

    def __init__(self, group: Group) -> None:
        super().__init__(group.pk)
        self.group = group
