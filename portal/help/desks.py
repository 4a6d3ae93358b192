"""What the help says of each desk. The states are the code's own: one without a meaning fails at the start."""

from portal.access_requests.filters import ALL, TABS
from portal.commitments.models import Verdict
from portal.contracts.models import UploadState
from portal.deletion_requests.models import State as DeletionState
from portal.help.pages import PORTFOLIO_KEY, SETTINGS_KEY, Help, meanings
from portal.help.program import AUDITS, CONTROLS, DOCUMENTS, PEOPLE, RISKS, VENDORS
from portal.help.trust_center import ACTIVITY, TAGS, TRUST_CENTER, VIEWERS
from portal.incidents.models import State as NoticeState
from portal.library.models import State as EntryState
from portal.questionnaires.stages import STAGES
from portal.tenants.models import Role
from portal.today.filters import PORTFOLIO_TABS
from portal.today.work import LABELS
from portal.ui.navigation import SETTINGS


def _from(role: Role) -> str:
    """Name who has a role or more."""
    return "everyone here" if role == Role.VIEWER else f"the {role.label} role and above" if role < Role.OWNER else "owners"


COMMENT = "Discuss it under Comments on its page: @ and a name asks a teammate. Comments are never sent to the platform."
TODAY = Help(
    "today",
    "One dated list of what needs you, across all desks. Switch to Team to see everyone's work.",
    (
        "Start with Overdue, then Due today.",
        "Act in the row: take it, assign it, approve it, extend it. Open it when you need more.",
        "Snooze what can wait. It comes back on the morning you choose, and is hidden only for you.",
    ),
    meanings(
        LABELS.items(),
        {
            "overdue": "The due date or deadline has passed.",
            "today": "Due before midnight, in your time zone.",
            "waiting": "Assigned to you, or free for you to take.",
            "others": "Someone outside, or another teammate, has to act first.",
            "new": "Came in since you last looked at this page.",
            "snoozed": "Hidden by you until a later day.",
        },
    ),
)
QUESTIONNAIRES = Help(
    "questionnaires",
    "Security questionnaires that customers send you: who answers what, by when, and what gets sent.",
    (
        "Take a new questionnaire or assign it, and check its due date. Choose a tag to see only questionnaires with it.",
        "Answer the open questions, with earlier answers beside them. Ctrl+Enter saves and opens the next unanswered one.",
        "Ask a teammate or someone outside what you don't know, or about a whole theme. Each answer comes back here.",
        "Hand it over for review. The reviewer approves each answer or returns it with a reason.",
        "Approve it, export it in the customer's own format, and complete it.",
        COMMENT,
    ),
    meanings(
        ((stage.key, stage.label) for stage in STAGES),
        {
            "new": "Uploaded to the platform; nothing has been extracted yet.",
            "processing": "The platform is extracting questions or drafting answers. Nothing to do yet.",
            "needs-input": "The platform is waiting for someone to choose or confirm columns, or to fill in missing answers.",
            "in-progress": "Questions are ready to answer.",
            "in-review": "Answers are complete and with a reviewer.",
            "error": "The platform could not process the file. Open it there, or upload it again.",
            "on-hold": "Paused. Its SLA clock is stopped.",
            "approved": "Approved; it can be sent and completed.",
            "done": "Completed. It stays available as a source of earlier answers.",
            "refused": "Not answered; it's no longer needed.",
        },
    ),
)
LIBRARY = Help(
    "library",
    "Your answers to common questions. Each entry has an owner and a review date.",
    (
        "Write an entry for what you're asked again and again, or import the ones you have as CSV. Add other ways to ask it.",
        "Check Needs review. If an entry is still true, press v: its next review is in six months. If not, edit it.",
        "Check Duplicates for entries that answer the same question, and keep one of them.",
        "Before you change an answer, check under Used in which customers have it.",
        "Answers from the platform's own library are here, too. Change them there, or copy one to make it yours.",
    ),
    meanings(
        EntryState.choices,
        {
            "verified": "Someone confirmed that it's true, and its review date hasn't passed.",
            "needs-review": "Its review date has passed. Verify it or change it.",
            "expired": "The last day it can be used has passed.",
        },
    ),
)
ACCESS_REQUESTS = Help(
    "access_requests",
    "People who request documents from your Trust Center, and what you decide.",
    (
        "Open the request that has waited longest. Next to it, you see what's known: NDA, customer, earlier requests.",
        "Approve with a level and an expiry, or deny with a reason.",
        "A decision is sent after 30 seconds. Until then, you can undo it.",
        "Let rules decide routine requests. Before you turn a rule on, a dry run shows what it would have done.",
        COMMENT,
    ),
    meanings(
        ((key, label) for key, label in TABS.items() if key != ALL),
        {
            "pending": "No one has decided yet.",
            "sending": "Decided here and on its way to the platform, or waiting for second approval.",
            "approved": "Access was given.",
            "denied": "Access was not given.",
            "elsewhere": "Decided on the platform itself, not here.",
        },
    ),
)
DELETION_REQUESTS = Help(
    "deletion_requests",
    "People who ask to be erased: identity, deadline, erasure on the platform and here, and the certificate.",
    (
        "Record how you checked their identity.",
        "Check what would be erased, what is kept, and why.",
        "As an approver, press Send and erase. The platform erases first; the copy here follows once it has confirmed.",
        "Send the certificate to the person.",
        COMMENT,
    ),
    meanings(
        DeletionState.choices,
        {
            "received": "Came in; not sent to the platform yet.",
            "sending": "On its way to the platform.",
            "waiting": "The platform could not be reached. The portal retries automatically.",
            "uncertain": "The platform did not answer. The portal asks again, which does no harm, until it has a clear answer.",
            "confirmed": "The platform has confirmed; the copy here is being erased.",
            "erased": "Erased on both sides. The certificate is ready.",
            "refused": "The platform refused it. The reason is on the page.",
            "closed": "Closed without an erasure.",
        },
    ),
)
CUSTOMERS = Help(
    "customers",
    "Your customers, with everything the desks know about each: questionnaires, requests, contracts, commitments.",
    (
        "Open a customer to see what is open and what happened, newest first.",
        "As an approver, use People to match for those who write from a customer's domain but aren't linked to one.",
        "As an approver, merge duplicates. The desks then count them as one; nothing changes on the platform.",
        COMMENT,
    ),
)
CONTRACTS = Help(
    "contracts",
    "Signed contracts, their dates, and their searchable text.",
    (
        "Upload the PDF and choose the customer.",
        "Check the suggested term, renewal and notice period, and save them.",
        "Follow the calendar: what ends, renews or needs notice this month.",
        COMMENT,
    ),
    meanings(
        UploadState.choices,
        {
            "waiting": "Will be sent to the platform shortly.",
            "sending": "On its way to the platform.",
            "uncertain": "The platform did not answer. The portal checks whether it arrived before it sends again.",
            "done": "On the platform.",
            "present": "The platform already has a contract with this external id. Decide what to do with your file.",
            "refused": "The platform refused it. Your file is kept until you send it again or discard it.",
            "discarded": "Not sent; the file was deleted.",
        },
    ),
)
COMMITMENTS = Help(
    "commitments",
    "What you've promised customers, by contract and in answers, next to your own standard.",
    (
        "Decide on suggestions found in contracts: accept, correct or dismiss.",
        "Check the matrix for promises that are stricter than your standard.",
        "Resolve contradictions: answers that differ from what the customer's contract promises.",
    ),
    meanings(
        Verdict.choices,
        {
            "": "You haven't set a standard for this kind of promise.",
            "harder": "You promised more than you usually do.",
            "equal": "What you promise everyone.",
            "easier": "You promised less than you usually do.",
            "unknown": "The two are in units that can't be compared.",
        },
    ),
)
INCIDENTS = Help(
    "incidents",
    "Who to notify about an incident, by when, and what was said.",
    (
        "Create the incident: when it was noticed, and which data it is about.",
        "The plan lists the customers to notify, earliest deadline first, based on what their contracts promise.",
        "Notify each: check the draft, send it your own way, and record who told whom and when.",
        "Close it. The log stays, and can be exported.",
        COMMENT,
    ),
    meanings(
        NoticeState.choices,
        {
            "to-tell": "This customer has to be notified.",
            "told": "Notified; by whom, when and how is in the log.",
            "not-needed": "Someone decided that no notice is needed, and gave a reason.",
        },
    ),
)
SETTINGS_HELP = Help(
    SETTINGS_KEY,
    "How this tenant is connected, who works here, and what the desks do automatically.",
    (
        "Connect the platform first, then add the webhook. Until then, the portal has to poll for changes.",
        "Invite your team, and give each person the lowest role that does their work.",
        "Set office hours and holidays before SLAs: targets count office time only.",
        "Choose what you and the team are notified about, and press Send test for each channel.",
        "Check the audit when you need to know who changed something, and when.",
    ),
    tuple((entry.label, f"{entry.note}. Open to {_from(entry.role)}.") for entry in SETTINGS),
    "Where to find what",
)
PORTFOLIO = Help(
    PORTFOLIO_KEY,
    "The work of all your tenants in one list, worst first, and how each tenant is doing.",
    (
        "Start at the top: what's overdue in any tenant comes before what's due today.",
        "Act in the row. It applies to the tenant named in the row, with the role you have there.",
        "Search all tenants, narrow the list to one tenant, one desk or your own work, and save those filters as a view.",
        "Check the tenants below: one that has lost its connection or gets no events may have work you can't see yet.",
        "Copy rules, targets, office hours and notification choices to other tenants. You'll see what each one gets first.",
    ),
    meanings(
        PORTFOLIO_TABS.items(),
        {
            "": "Everything, the most overdue first.",
            "overdue": "The due date or deadline has passed.",
            "today": "Due before midnight, in your time zone.",
            "others": "Someone outside, or another teammate, has to act first.",
        },
    ),
    "What each section shows",
)
HELP = {
    each.key: each
    for each in (
        *(TODAY, QUESTIONNAIRES, LIBRARY, ACCESS_REQUESTS, DELETION_REQUESTS, CUSTOMERS, CONTRACTS, COMMITMENTS, INCIDENTS),
        *(TRUST_CENTER, VIEWERS, ACTIVITY, TAGS),
        *(PEOPLE, DOCUMENTS, VENDORS, AUDITS, CONTROLS, RISKS, SETTINGS_HELP),
    )
}
"""What the help of a tenant has, by the key of the desk in the navigation."""
