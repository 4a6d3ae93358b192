"""The copy of what the Trust Center shows, and when its documents have to be renewed."""

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
from portal.trust_center.models.lists import Framework, FrameworkQuerySet, Subprocessor, SubprocessorQuerySet
from portal.trust_center.models.renewals import FAR, RENEW_SOON, Renewal, RenewalRule, renewal_day
from portal.trust_center.models.resources import FILE_TYPES, Resource, ResourceQuerySet

__all__ = [
    "FAR",
    "FILE_TYPES",
    "RENEW_SOON",
    "Control",
    "ControlCategory",
    "ControlPlacement",
    "ControlQuerySet",
    "Faq",
    "FaqCategory",
    "FaqQuerySet",
    "Framework",
    "FrameworkQuerySet",
    "Renewal",
    "RenewalRule",
    "Resource",
    "ResourceQuerySet",
    "ShownControl",
    "ShownControlQuerySet",
    "Subprocessor",
    "SubprocessorQuerySet",
    "category_sort_key",
    "control_sort_key",
    "renewal_day",
]
