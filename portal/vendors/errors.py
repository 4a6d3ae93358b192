"""What can stand in the way of a change at this desk."""


class Gone(Exception):
    """The platform has no such vendor or finding any more."""


class ChangedMeanwhile(Exception):
    """Somebody else has changed the finding since the person read it. Our copy is what it is now."""


class AlreadyThere(Exception):
    """The vendor has a finding with these words."""
