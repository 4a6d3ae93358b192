"""The copy of vendors and what belongs to each of them, the decisions about them, and names of the ids in them."""

from portal.vendors.models.decisions import Decision
from portal.vendors.models.labels import Label, LabelKind
from portal.vendors.models.parts import Part, PartKind
from portal.vendors.models.vendors import NO_DATE, REVIEW_SOON, Vendor, VendorQuerySet

__all__ = [
    "NO_DATE",
    "REVIEW_SOON",
    "Decision",
    "Label",
    "LabelKind",
    "Part",
    "PartKind",
    "Vendor",
    "VendorQuerySet",
]
