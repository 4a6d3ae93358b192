"""What people type."""

from portal.incidents.forms.incidents import IncidentForm
from portal.incidents.forms.messages import MessageForm, TemplateForm
from portal.incidents.forms.notifications import CloseForm, ReasonForm, RemarkForm, TakeBackForm, TellForm

__all__ = [
    "CloseForm",
    "IncidentForm",
    "MessageForm",
    "ReasonForm",
    "RemarkForm",
    "TakeBackForm",
    "TellForm",
    "TemplateForm",
]
