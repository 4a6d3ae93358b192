"""The copy of what the Trust Center shows, when its documents have to be renewed, and updates on their way there."""

from portal.trust_center.models.checks import Cause, ContentCheck, ContentCheckQuerySet, ContentSweep
from portal.trust_center.models.controls import (
    Control,
    ControlCategory,
    ControlPlacement,
    ControlQuerySet,
    ShownControl,
    ShownControlQuerySet,
    control_sort_key,
)
from portal.trust_center.models.faqs import Faq, FaqCategory, FaqQuerySet, category_sort_key
from portal.trust_center.models.lists import CenterSettings, Framework, FrameworkQuerySet, Subprocessor, SubprocessorQuerySet
from portal.trust_center.models.publications import WINDOW, Publication, PublicationItem, Target, Verb
from portal.trust_center.models.renewals import FAR, RENEW_SOON, Renewal, RenewalRule, renewal_day
from portal.trust_center.models.resources import FILE_TYPES, Resource, ResourceQuerySet
from portal.trust_center.models.subscribers import (
    Subscriber,
    SubscriberGroup,
    SubscriberInGroup,
    SubscriberQuerySet,
)
from portal.trust_center.models.updates import CATEGORIES, Update, UpdateQuerySet

__all__ = [
    "CATEGORIES",
    "FAR",
    "FILE_TYPES",
    "RENEW_SOON",
    "WINDOW",
    "Cause",
    "CenterSettings",
    "ContentCheck",
    "ContentCheckQuerySet",
    "ContentSweep",
    "Control",
    "ControlCategory",
    "ControlPlacement",
    "ControlQuerySet",
    "Faq",
    "FaqCategory",
    "FaqQuerySet",
    "Framework",
    "FrameworkQuerySet",
    "Publication",
    "PublicationItem",
    "Renewal",
    "RenewalRule",
    "Resource",
    "ResourceQuerySet",
    "ShownControl",
    "ShownControlQuerySet",
    "Subprocessor",
    "SubprocessorQuerySet",
    "Subscriber",
    "SubscriberGroup",
    "SubscriberInGroup",
    "SubscriberQuerySet",
    "Target",
    "Update",
    "UpdateQuerySet",
    "Verb",
    "category_sort_key",
    "control_sort_key",
    "renewal_day",
]
