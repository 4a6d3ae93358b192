"""The pages of the desk."""

from portal.trust_center.views.center_settings import edit_settings
from portal.trust_center.views.checks import bring_back, check, check_list
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
from portal.trust_center.views.entries import FRAMEWORK, SUBPROCESSOR, delete_entry, edit_entry, new_entry, set_badge
from portal.trust_center.views.exports import export_checks
from portal.trust_center.views.faq_categories import add_category, category_list, delete_category, rename_category
from portal.trust_center.views.faqs import delete_faq, edit_faq, faq_list, faq_page, new_faq
from portal.trust_center.views.list_exports import (
    export_controls,
    export_faqs,
    export_frameworks,
    export_resources,
    export_subprocessors,
    export_subscribers,
    export_updates,
)
from portal.trust_center.views.lists import framework_list, start, subprocessor_list
from portal.trust_center.views.publications import (
    new_update,
    publication,
    retry_publication,
    tell,
    undo_publication,
)
from portal.trust_center.views.resources import download, edit_resource, renew, resource_list, resource_page
from portal.trust_center.views.subscriber_groups import (
    add_subscriber_group,
    delete_subscriber_group,
    rename_subscriber_group,
    subscriber_group_list,
)
from portal.trust_center.views.subscribers import (
    new_subscriber,
    remove_subscriber,
    subscriber_groups_of,
    subscriber_list,
)
from portal.trust_center.views.updates import delete_update, edit_update, update_list, update_page
from portal.trust_center.views.uploads import delete_resource, new_resource
from portal.trust_center.views.visitors import visitor

__all__ = [
    "FRAMEWORK",
    "SUBPROCESSOR",
    "add_category",
    "add_control_category",
    "add_control_list",
    "add_subscriber_group",
    "bring_back",
    "category_list",
    "check",
    "check_list",
    "control_category_list",
    "control_list",
    "control_page",
    "delete_category",
    "delete_control_category",
    "delete_entry",
    "delete_faq",
    "delete_resource",
    "delete_subscriber_group",
    "delete_update",
    "download",
    "edit_entry",
    "edit_faq",
    "edit_resource",
    "edit_settings",
    "edit_update",
    "export_checks",
    "export_controls",
    "export_faqs",
    "export_frameworks",
    "export_resources",
    "export_subprocessors",
    "export_subscribers",
    "export_updates",
    "faq_list",
    "faq_page",
    "framework_list",
    "hide_control",
    "move_control_category",
    "new_entry",
    "new_faq",
    "new_resource",
    "new_subscriber",
    "new_update",
    "place_control",
    "publication",
    "remove_subscriber",
    "rename_category",
    "rename_control_category",
    "rename_subscriber_group",
    "renew",
    "resource_list",
    "resource_page",
    "retry_publication",
    "set_badge",
    "show_control",
    "start",
    "subprocessor_list",
    "subscriber_group_list",
    "subscriber_groups_of",
    "subscriber_list",
    "tell",
    "undo_publication",
    "update_list",
    "update_page",
    "visitor",
]
