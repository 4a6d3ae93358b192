"""How the activity of an object shows what was done about its comments."""

from typing import Final

ICONS: Final = {
    "comment.add": ("message-square", "info"),
    "comment.edit": ("pencil", "muted"),
    "comment.delete": ("trash-2", "muted"),
    "comment.resolve": ("circle-check", "good"),
    "comment.reopen": ("rotate-ccw", "muted"),
}
"""Action → icon and tone."""
