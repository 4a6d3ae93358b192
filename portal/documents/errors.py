"""What can stand in the way of a change at this desk."""


class Gone(Exception):
    """The platform has no such document, file or link any more."""


class AlreadyThere(Exception):
    """The document has this link already."""


class UploadUnderWay(Exception):
    """A file is being sent to the document, or it is not known yet whether the last one arrived."""
