from portal.library.models.entries import Entry, EntryUse, Label, LabelKind, Origin, State, Variant
from portal.library.models.wordings import Posting, Wording

__all__ = ["Entry", "EntryUse", "Label", "LabelKind", "Origin", "Posting", "State", "Variant", "Wording"]
