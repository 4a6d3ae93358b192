"""The mirror rows of this desk, the bulk runs over them, and the views that people saved."""

from portal.questionnaires.models.bulk import LEASE, MOST_ITEMS, MOST_TRIES, BulkItem, BulkItemQuerySet, BulkRun, ItemState
from portal.questionnaires.models.draft import Draft
from portal.questionnaires.models.experts import A_DAY, Assignment, ExpertLink
from portal.questionnaires.models.export import Export, ExportQuerySet, ExportState
from portal.questionnaires.models.link import StatusLink
from portal.questionnaires.models.people import READ_EVERY, AssignableUser
from portal.questionnaires.models.questionnaire import KINDS, NO_DUE_DATE, Questionnaire, QuestionnaireQuerySet
from portal.questionnaires.models.response import LISTS, Asked, Response, ResponseQuerySet
from portal.questionnaires.models.saved_views import SavedView

__all__ = [
    "A_DAY",
    "KINDS",
    "LEASE",
    "LISTS",
    "MOST_ITEMS",
    "MOST_TRIES",
    "NO_DUE_DATE",
    "READ_EVERY",
    "Asked",
    "AssignableUser",
    "Assignment",
    "BulkItem",
    "BulkItemQuerySet",
    "BulkRun",
    "Draft",
    "ExpertLink",
    "Export",
    "ExportQuerySet",
    "ExportState",
    "ItemState",
    "Questionnaire",
    "QuestionnaireQuerySet",
    "Response",
    "ResponseQuerySet",
    "SavedView",
    "StatusLink",
]
