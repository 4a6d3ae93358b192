"""Every change at the desk: storing what the platform says, changing documents, controls and FAQs there, and renewals here."""

from portal.trust_center.services.control_categories import (
    add_control_category,
    delete_control_category,
    move_control_category,
    rename_control_category,
)
from portal.trust_center.services.controls import hide_control, set_categories, show_control
from portal.trust_center.services.downloading import fetch_file
from portal.trust_center.services.faq_categories import add_category, delete_category, rename_category
from portal.trust_center.services.faqs import FaqText, add_faq, change_faq, delete_faq
from portal.trust_center.services.renewing import set_renewal
from portal.trust_center.services.resources import ResourceChange, change_resource
from portal.trust_center.services.writing import AlreadyThere, ChangedMeanwhile, Gone

__all__ = [
    "AlreadyThere",
    "ChangedMeanwhile",
    "FaqText",
    "Gone",
    "ResourceChange",
    "add_category",
    "add_control_category",
    "add_faq",
    "change_faq",
    "change_resource",
    "delete_category",
    "delete_control_category",
    "delete_faq",
    "fetch_file",
    "hide_control",
    "move_control_category",
    "rename_category",
    "rename_control_category",
    "set_categories",
    "set_renewal",
    "show_control",
]
