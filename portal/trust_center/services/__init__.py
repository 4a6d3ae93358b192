"""Every change at the desk: storing what the platform says, changing it there, publishing updates, and renewals here."""

from portal.trust_center.errors import AlreadyThere, ChangedMeanwhile, Gone, GroupsNotSet, SameDocument, TooLate
from portal.trust_center.services.center_settings import TEXTS, change_settings, settings_version, texts_of
from portal.trust_center.services.checks import check_content, tenants_to_check
from portal.trust_center.services.control_categories import (
    add_control_category,
    delete_control_category,
    move_control_category,
    rename_control_category,
)
from portal.trust_center.services.controls import hide_control, set_categories, show_control
from portal.trust_center.services.dismissals import bring_back, dismiss
from portal.trust_center.services.downloads import fetch_file
from portal.trust_center.services.entries import (
    FRAMEWORKS,
    SUBPROCESSORS,
    Family,
    add_entry,
    change_entry,
    delete_entry,
    set_badge,
)
from portal.trust_center.services.export_audit import record_export, record_export_of_checks
from portal.trust_center.services.faq_categories import add_category, delete_category, rename_category
from portal.trust_center.services.faqs import FaqText, add_faq, change_faq, delete_faq
from portal.trust_center.services.publications import (
    Audience,
    publish,
    retry_publication,
    tell,
    undo_publication,
    work_on_publication,
)
from portal.trust_center.services.renewals import set_renewal
from portal.trust_center.services.resources import ResourceChange, change_resource, resource_version
from portal.trust_center.services.subscriber_groups import (
    add_subscriber_group,
    delete_subscriber_group,
    rename_subscriber_group,
)
from portal.trust_center.services.subscribers import add_subscriber, remove_subscriber, set_groups
from portal.trust_center.services.updates import UpdateText, change_update, delete_update
from portal.trust_center.services.uploads import NewResource, add_resource, delete_resource
from portal.trust_center.services.writes import version_of_choice

__all__ = [
    "FRAMEWORKS",
    "SUBPROCESSORS",
    "TEXTS",
    "AlreadyThere",
    "Audience",
    "ChangedMeanwhile",
    "Family",
    "FaqText",
    "Gone",
    "GroupsNotSet",
    "NewResource",
    "ResourceChange",
    "SameDocument",
    "TooLate",
    "UpdateText",
    "add_category",
    "add_control_category",
    "add_entry",
    "add_faq",
    "add_resource",
    "add_subscriber",
    "add_subscriber_group",
    "bring_back",
    "change_entry",
    "change_faq",
    "change_resource",
    "change_settings",
    "change_update",
    "check_content",
    "delete_category",
    "delete_control_category",
    "delete_entry",
    "delete_faq",
    "delete_resource",
    "delete_subscriber_group",
    "delete_update",
    "dismiss",
    "fetch_file",
    "hide_control",
    "move_control_category",
    "publish",
    "record_export",
    "record_export_of_checks",
    "remove_subscriber",
    "rename_category",
    "rename_control_category",
    "rename_subscriber_group",
    "resource_version",
    "retry_publication",
    "set_badge",
    "set_categories",
    "set_groups",
    "set_renewal",
    "settings_version",
    "show_control",
    "tell",
    "tenants_to_check",
    "texts_of",
    "undo_publication",
    "version_of_choice",
    "work_on_publication",
]
