from portal.library.models.entries import AnswerPosting, Entry, EntryUse, Label, LabelKind, Origin, State, Variant
from portal.library.models.wordings import Posting, Wording

__all__ = ["AnswerPosting", "Entry", "EntryUse", "Label", "LabelKind", "Origin", "Posting", "State", "Variant", "Wording"]
