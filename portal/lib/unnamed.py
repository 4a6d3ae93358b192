"""What stands where an object has no name. Its id never does: it tells people nothing (guarantee R3)."""

from typing import Final

NO_NAME: Final = "No name"


def named(name: str | None, hint: str = "") -> str:
    """Return a name, or say that there is none; `hint` is what people know the object by otherwise."""
    return name or (f"{NO_NAME} ({hint})" if hint else NO_NAME)
