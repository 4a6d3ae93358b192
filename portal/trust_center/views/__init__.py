"""The pages of the desk."""

from portal.trust_center.views.control_categories import (
    add_control_category,
    control_category_list,
    delete_control_category,
    move_control_category,
    rename_control_category,
)
from portal.trust_center.views.controls import (
    add_control_list,
    control_list,
    control_page,
    hide_control,
    place_control,
    show_control,
)
from portal.trust_center.views.faq_categories import add_category, category_list, delete_category, rename_category
from portal.trust_center.views.faqs import delete_faq, edit_faq, faq_list, faq_page, new_faq
from portal.trust_center.views.lists import framework_list, start, subprocessor_list
from portal.trust_center.views.resources import download, edit_resource, renew, resource_list, resource_page

__all__ = [
    "add_category",
    "add_control_category",
    "add_control_list",
    "category_list",
    "control_category_list",
    "control_list",
    "control_page",
    "delete_category",
    "delete_control_category",
    "delete_faq",
    "download",
    "edit_faq",
    "edit_resource",
    "faq_list",
    "faq_page",
    "framework_list",
    "hide_control",
    "move_control_category",
    "new_faq",
    "place_control",
    "rename_category",
    "rename_control_category",
    "renew",
    "resource_list",
    "resource_page",
    "show_control",
    "start",
    "subprocessor_list",
]
