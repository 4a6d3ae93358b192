"""What the platform returns. Unknown fields stay, unknown enum values stay text, times are aware, `raw` is what came."""

from portal.platform_api.models.customer_trust import Account, Contract, NdaDetails, User
from portal.platform_api.models.questionnaires import (
    Actor,
    AssignableUser,
    Assignment,
    Export,
    Questionnaire,
    Response,
    StatusLogEntry,
)
from portal.platform_api.models.remote import Listed, Moment, Remote, Success
from portal.platform_api.models.showcase import ChatMessage, Conversation
from portal.platform_api.models.trust_center import AccessRequest, Activity, Nda, Resource, TrustCenter, Viewer

__all__ = [
    "AccessRequest",
    "Account",
    "Activity",
    "Actor",
    "AssignableUser",
    "Assignment",
    "ChatMessage",
    "Contract",
    "Conversation",
    "Export",
    "Listed",
    "Moment",
    "Nda",
    "NdaDetails",
    "Questionnaire",
    "Remote",
    "Resource",
    "Response",
    "StatusLogEntry",
    "Success",
    "TrustCenter",
    "User",
    "Viewer",
]
