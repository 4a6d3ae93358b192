"""What is known of one kind of object."""

from dataclasses import dataclass

from portal.sandbox.store import Json


@dataclass(frozen=True, kw_only=True)
class Kind:
    name: str
    """Like the last literal part of the API path that lists it, so far as that is unique."""
    title: str
    """How a message calls one."""
    shape: Json
    """The schema of an object as it is answered."""
    by: str = ""
    """The placeholder of paths that names one; empty: no path does."""
    also_by: str = ""
    """Another field than `id` that may stand in the path."""
    parent: str = ""
    """The placeholder of the object it belongs to."""
    is_soft: bool = False
    """Deleting one sets its deletionDate: it can still be read, but not changed or deleted again (specification 2.5)."""

    @property
    def plural(self) -> str:
        """How a page calls many."""
        return self.name.replace("-", " ").capitalize()
