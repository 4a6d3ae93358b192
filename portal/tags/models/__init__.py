"""The copy of the platform's tag categories and of where they are used, and the switches that people have pressed."""

from portal.tags.models.categories import (
    CATEGORY,
    CONTEXT,
    CONTEXTS,
    TAGS,
    Category,
    CategoryQuerySet,
    Context,
    Use,
)
from portal.tags.models.switches import LEASE, Step, SwitchChange, SwitchChangeQuerySet

__all__ = [
    "CATEGORY",
    "CONTEXT",
    "CONTEXTS",
    "LEASE",
    "TAGS",
    "Category",
    "CategoryQuerySet",
    "Context",
    "Step",
    "SwitchChange",
    "SwitchChangeQuerySet",
    "Use",
]
