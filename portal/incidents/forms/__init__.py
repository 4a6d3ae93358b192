"""What people type."""

from portal.incidents.forms.messages import MessageForm, TemplateForm
from portal.incidents.forms.notifications import CloseForm, ReasonForm, RemarkForm, TakeBackForm, TellForm
from portal.incidents.forms.opening import IncidentForm

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
