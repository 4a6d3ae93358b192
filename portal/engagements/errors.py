"""What can stand in the way of a change at this desk."""


class Gone(Exception):
    """The platform has no such audit, request, evidence or comment anymore."""


class AlreadyDecided(Exception):
    """Its status is another one by now. Our copy is what it is now."""


class AssessedMeanwhile(Exception):
    """Somebody has assessed the control since the person read it: what it says by now, and the version of that."""

    def __init__(self, label: str, justification: str, version: str) -> None:
        super().__init__(label)
        self.label = label
        self.justification = justification
        self.version = version


class NotTheAuthor(Exception):
    """Somebody else has written the comment: the platform lets its author change it."""


class NoFile(Exception):
    """The platform names no such file, or an address that nothing is fetched from."""


class AlreadyThere(Exception):
    """The audit has something with this name or number, or the firm has such an audit: a second one would look like it."""
