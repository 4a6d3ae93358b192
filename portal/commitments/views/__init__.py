"""The pages of the room."""

from portal.commitments.views.commitments import commitment, end
from portal.commitments.views.contradictions import contradictions, resolve
from portal.commitments.views.matrix import export_matrix, matrix
from portal.commitments.views.register import export_register, register
from portal.commitments.views.standards import remove_standard, standard, standards
from portal.commitments.views.suggestions import accept, correct, decide_many, dismiss, export_suggestions, suggestions
from portal.commitments.views.writes import change, new

__all__ = [
    "accept",
    "change",
    "commitment",
    "contradictions",
    "correct",
    "decide_many",
    "dismiss",
    "end",
    "export_matrix",
    "export_register",
    "export_suggestions",
    "matrix",
    "new",
    "register",
    "remove_standard",
    "resolve",
    "standard",
    "standards",
    "suggestions",
]
