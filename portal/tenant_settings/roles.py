"""What each role may do, in words. The role of each action is read from its view: this page cannot promise anything else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

from portal.tenants.models import Role

ACTIONS: dict[str, dict[str, str]] = {
    "Today": {
        "Take, assign, extend and snooze in the list": "today: act act_from_portfolio names",
        "Undo one's own decisions before they are sent": "today: undo",
    },
    "Questionnaires": {
        "Receive and discard questionnaires": "questionnaires: new intake send_intake discard_intake",
        "Assign them, set due date and priority, name an approver": "questionnaires: take assign name_approver due priority",
        "Write answers, ask experts and remind them": "questionnaires: draft ask expert_link nudge",
        "Settle inconsistent answers and correct customers": "questionnaires: resolve_drift correct",
        "Draft all unanswered questions, dismiss drafts": "questionnaires: draft_all stop_drafting dismiss_draft",
        "Save drafts for previously answered questions": "questionnaires: save_drafts",
        "Change several at once": "questionnaires: start_bulk retry_bulk",
        "Share a status link": "questionnaires: status_link status",
        "Export, get a calendar link": "questionnaires: export request_export own_feed",
        "Approve answers and withdraw approvals": "questionnaires: approve approve_unchanged undo_review",
        "Complete and hand over": "questionnaires: complete",
        "Set SLAs and rules": "questionnaires: add_target set_warning change_target delete_target",
    },
    "Library": {
        "Add, edit, verify, merge, import, export and delete entries": (
            "library: new edit verify delete merge keep_both import start_import export export_knowledge"
        ),
        "Keep answers in the library": "questionnaires: keep",
    },
    "Access requests": {
        "Export requests, viewers, access reviews and dry runs": (
            "access_requests: export export_viewers export_review dry_run_export"
        ),
        "Approve, deny and undo, one at a time or in bulk": (
            "access_requests: approve deny bulk undo undo_mine undo_batch retry_batch confirm reject dismiss undo_rule"
        ),
        "Change and review the access of viewers": "access_requests: start_viewers retry_viewers start_review",
        "Stop all rules": "access_requests: stop_rules",
        "Set rules, lists and the desk's settings": (
            "access_requests: set_settings new_rule rule move_rule remove_rule start_rules before_automatic make_automatic "
            "make_suggesting list_domain unlist_domain mark_sensitive"
        ),
    },
    "Trust Center content": {
        "Upload and edit documents, set renewal dates": "trust_center: new_resource edit_resource renew",
        "Delete documents, change the settings": "trust_center: delete_resource edit_settings",
        "Dismiss and export content checks": "trust_center: check bring_back export_checks",
        "Export documents, FAQs, controls, subprocessors, frameworks and updates": (
            "trust_center: export_resources export_faqs export_controls export_subprocessors export_frameworks export_updates"
        ),
        "Add, edit and delete FAQs and their categories": (
            "trust_center: new_faq edit_faq delete_faq add_category rename_category delete_category"
        ),
        "Add and remove controls, edit their categories": (
            "trust_center: add_control show_control place_control hide_control add_control_category rename_control_category "
            "move_control_category delete_control_category"
        ),
        "Add, edit and delete subprocessors and compliance frameworks": (
            "trust_center: new_subprocessor edit_subprocessor delete_subprocessor new_framework edit_framework set_badge "
            "delete_framework"
        ),
        "Publish, send, edit and delete updates, manage and export subscribers": (
            "trust_center: new_update tell undo_publication retry_publication edit_update delete_update new_subscriber "
            "subscriber_groups_of remove_subscriber add_subscriber_group rename_subscriber_group delete_subscriber_group "
            "export_subscribers"
        ),
    },
    "Trust Center activity": {
        "Watch companies, follow conversations, export": (
            "trust_center_activity: export export_conversations watch unwatch follow unfollow seen"
        ),
    },
    "Contracts": {
        "Upload, import and file contracts, edit terms": (
            "contracts: upload discard_waiting decide send_again discard import start_import set_customer edit_terms hand_in "
            "remove_text"
        ),
        "Export, get a calendar link": "contracts: export own_feed",
        "Delete a contract": "contracts: delete",
    },
    "Commitments": {
        "Record commitments and decide suggestions": (
            "commitments: new change end decide_many accept correct dismiss resolve export_matrix export_register "
            "export_suggestions"
        ),
        "Set standards": "commitments: standard remove_standard",
    },
    "Incidents": {
        "Run incidents and notify customers": (
            "incidents: new edit close reopen replan tell tell_several spare revert remark save_draft export export_log "
            "export_plan"
        ),
        "Write message templates": "incidents: new_template template delete_template",
    },
    "Customers": {
        "Add, edit and import customers": (
            "customers: new edit import start_import retry_import export dismiss bring_back dismiss_creation "
            "dismiss_duplicates bring_back_duplicates"
        ),
        "Merge, separate and delete customers": "customers: attach delete merge take_apart make_main",
    },
    "Deletion requests": {
        "Record requests and review what was found": ("deletion_requests: receive receive_file read_file review note_identity"),
        "Export the ledger": "deletion_requests: export",
        "Search, submit, notify and close": "deletion_requests: find new submit send retry close",
        "Change the desk's settings and the intake link": "deletion_requests: set_desk intake_link",
    },
    "People": {
        "Export people and groups": "people: export export_groups",
        "Create and import groups, add and remove people": "people: new_group import_groups start_change retry",
    },
    "Documents": {
        "Export documents": "documents: export",
        "Upload files and add links": "documents: upload new_link dismiss_upload",
        "Delete files and remove links": "documents: delete_file remove_link",
    },
    "Vendors": {
        "Export vendors, add and edit findings": "vendors: export new_finding edit_finding",
        "Change the status of a vendor": "vendors: set_status",
    },
    "Audits": {
        "Export audits, download evidence, comment": (
            "engagements: export request_file evidence_file comment_request change_request_comment delete_request_comment "
            "comment_evidence comment_control change_control_comment delete_control_comment"
        ),
        "Add information requests and controls, request evidence": "engagements: new_request request_evidence new_control",
        "Approve, flag and delete requests, move evidence, assess controls, share and duplicate": (
            "engagements: accept_request flag_request delete_request move_evidence assess_control share_requests duplicate"
        ),
    },
    "Risks": {
        "Export issues and risk scenarios": "risks: export_issues export_scenarios",
        "Add controls to risk scenarios, change their type, remove them": (
            "risks: choose_control add_control change_type remove_control"
        ),
    },
    "Controls": {"Export controls, frameworks and tests": "controls: export export_frameworks export_tests"},
    "Tags": {"Export tags": "tags: export", "Change what tags show": "tags: switch"},
    "Connection": {
        "Check the connection": "connections: check",
        "Enter the Trust Center id, see exit records": "connections: set_trust_center exit_record",
        "Connect, reconnect and confirm the account": "connections: connect own_application rotate_secret confirm reject",
        "Export everything, disconnect, delete the tenant": "connections: export disconnect delete_tenant",
    },
    "Webhooks": {
        "Enter signing secrets": "inbox: secret end_old_secret",
        "Replay deliveries, dismiss failed ones": "inbox: replay replay_failed replay_range dismiss",
    },
    "Comments": {
        "Write comments, mention teammates, resolve": "comments: add edit delete resolve reopen people",
        "Delete other people's comments": "comments: remove",
    },
    "Saved views": {"Save, rename and delete views of lists": "saved_views: save rename delete"},
    "Setup": {
        "Walk through the setup": "first_hour: connect trust_center webhooks invite hours connected strip dismiss",
        "Connect during the setup": "first_hour: consent",
    },
    "Tenant": {
        "Leave": "members: leave",
        "Invite people, change their roles, remove them": "members: invite resend withdraw change_role remove",
        "Set up team channels": (
            "notification_settings: channel slack_app choose_for_team test_channel new_secret remove_channel"
        ),
        "Set office hours and holidays": "calendars: set_hours add_holiday add_country remove_holiday",
        "Copy settings to other tenants": "today: copy_settings",
        "Read and export the audit trail": "settings: audit audit_entry audit_export",
        "Read and export the platform's event log": "event_log: log export",
        "Read what was sent to the language model": "language_model: overview call",
        "Allow the language model to rewrite drafts": "language_model: switch",
        "Require a second factor, see who signed in": "settings: sign_in sign_in_activity",
        "Set up and require company sign-in": (
            "single_sign_on: settings add_domain check_domain mail_postmaster remove_domain configure configure_saml "
            "remove_provider require unlink"
        ),
    },
}
"""Desk → what one does there → the views that do it, which all ask for the same role. Reading is for every member."""


@dataclass(frozen=True)
class Permission:
    """One thing to do, and the lowest role that may."""

    description: str
    role: Role
    is_allowed: list[bool]
    """For each role, the lowest first."""


def table() -> dict[str, list[Permission]]:
    """Return the permissions of each desk, the most common first."""
    return {
        desk: sorted((_permission(words, names) for words, names in actions.items()), key=lambda each: each.role)
        for desk, actions in ACTIONS.items()
    }


def view_names(names: str) -> list[str]:
    """Return the URL names that an entry of the table stands for."""
    namespace, _, rest = names.partition(": ")
    return [f"{namespace}:{name}" for name in rest.split()]


@cache
def roles_of_views() -> dict[str, Role]:
    """Return the role that each page of a tenant asks for, by its URL name."""
    return dict(_walk(get_resolver(), ""))


def _permission(words: str, names: str) -> Permission:
    role = max(roles_of_views()[name] for name in view_names(names))
    return Permission(words, role, [each >= role for each in Role])


def _walk(resolver: URLResolver, namespace: str) -> Iterator[tuple[str, Role]]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            if (role := getattr(entry.callback, "role", None)) is not None:
                yield f"{namespace}:{entry.name}", role
        else:
            yield from _walk(entry, entry.namespace or namespace)
