"""What can stand in the way of a change at this desk."""


class Gone(Exception):
    """The platform has no such risk scenario any more, or the scenario has no such control."""


class AlreadyThere(Exception):
    """The risk scenario has the control already."""
