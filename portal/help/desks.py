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


COMMENT = "Discuss it under Comments on its page: @ and a name asks a teammate. Nothing of it leaves to the platform."
TODAY = Help(
    "today",
    "One dated list of what needs you, over all desks. Switch to Team to see everybody's work.",
    (
        "Start with Overdue, then Due today.",
        "Act in the row: take it, assign it, approve it, extend it. Open it when you need more.",
        "Snooze what can wait. It comes back on the morning you choose, and only you stop seeing it.",
    ),
    meanings(
        LABELS.items(),
        {
            "overdue": "The due date or deadline has passed.",
            "today": "Due before midnight, in your time zone.",
            "waiting": "Assigned to you, or free for you to take.",
            "others": "Somebody outside, or another teammate, has to act first.",
            "new": "Came in since you last looked at this page.",
            "snoozed": "Hidden by you until a later day.",
        },
    ),
)
QUESTIONNAIRES = Help(
    "questionnaires",
    "Security questionnaires that customers send you: who answers what, by when, and what leaves.",
    (
        "Take a new questionnaire or assign it, and check its due date. Choose a tag to see only what is about it.",
        "Answer the open questions, with earlier answers beside them. Ctrl+Enter saves and opens the next unanswered one.",
        "Ask a teammate or someone outside about what you don't know, or all of a theme. Each answer comes back.",
        "Hand it over for review. The reviewer approves each answer or returns it with a reason.",
        "Approve it, export it in the customer's own format, and complete it.",
        COMMENT,
    ),
    meanings(
        ((stage.key, stage.label) for stage in STAGES),
        {
            "new": "Uploaded to the platform; nothing has been extracted yet.",
            "processing": "The platform extracts questions or drafts answers. Nothing to do yet.",
            "needs-input": "The platform waits for somebody: to choose or confirm columns, or to fill in missing answers.",
            "in-progress": "Questions are there and can be answered.",
            "in-review": "Answers are complete and a reviewer looks at them.",
            "error": "The platform could not process the file. Open it there, or upload it again.",
            "on-hold": "Paused. Its SLA clock stands still.",
            "approved": "Approved; it can be sent and completed.",
            "done": "Completed. It stays as a source of earlier answers.",
            "refused": "Not answered: nobody needs it any more.",
        },
    ),
)
LIBRARY = Help(
    "library",
    "What you answer to which question: each entry has an owner, and a day until which it is verified.",
    (
        "Write an entry for what you are asked again and again, or import the ones you have as CSV. Name other ways to ask it.",
        "Look at Needs review. If an entry still holds, press v: its next review is in half a year. If not, edit it.",
        "Look under May say the same for entries that answer the same question, and keep one of them.",
        "Before you change an answer, see under Used in which customers have it.",
        "Answers of the platform's own library are here too, and are changed there. Copy one to make it yours.",
    ),
    meanings(
        EntryState.choices,
        {
            "verified": "Somebody has said that it is true, and its review is still to come.",
            "needs-review": "The day of its review has passed. Verify it, or change it.",
            "expired": "The last day on which it may be used has passed.",
        },
    ),
)
ACCESS_REQUESTS = Help(
    "access_requests",
    "People who ask for documents of your Trust Center, and what you decide.",
    (
        "Open the request that has waited longest. Beside it stand what is known: NDA, customer, earlier requests.",
        "Approve with a level and an expiry, or deny with a reason.",
        "A decision leaves after half a minute. Until then, Undo takes it back.",
        "Let rules decide what is always the same. A dry run shows what a rule would have done before you turn it on.",
        COMMENT,
    ),
    meanings(
        ((key, label) for key, label in TABS.items() if key != ALL),
        {
            "pending": "Nobody has decided yet.",
            "sending": "Decided here and on its way to the platform, or waiting for a second person's approval.",
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
        "Note how you checked who they are.",
        "Look at what would be erased, and what is kept and why.",
        "Send it. The platform erases first; the copy here follows once it has confirmed.",
        "Send the certificate to the person.",
        COMMENT,
    ),
    meanings(
        DeletionState.choices,
        {
            "received": "Came in; nobody has sent it to the platform yet.",
            "sending": "On its way to the platform.",
            "waiting": "The platform could not be reached. It is tried again automatically.",
            "uncertain": "The platform did not answer. The portal checks what became of it before it sends again.",
            "confirmed": "The platform has confirmed; the copy here is being erased.",
            "erased": "Erased on both sides. The certificate is ready.",
            "refused": "The platform said no. The reason is on the page.",
            "closed": "Ended without an erasure, with a reason.",
        },
    ),
)
CUSTOMERS = Help(
    "customers",
    "Your customers, with everything the desks know of each: questionnaires, requests, contracts, commitments.",
    (
        "Open a customer to see what is open and what happened, newest first.",
        "Attach people who write from a customer's domain but are linked to no customer.",
        "Merge duplicates. The desks then count them as one; nothing changes on the platform.",
        COMMENT,
    ),
)
CONTRACTS = Help(
    "contracts",
    "Signed contracts, their dates, and the text to search in.",
    (
        "Upload the PDF and choose the customer.",
        "Check the suggested term, renewal and notice period, and save them.",
        "Follow the calendar: what ends, renews, or wants notice this month.",
        COMMENT,
    ),
    meanings(
        UploadState.choices,
        {
            "waiting": "Will be sent to the platform shortly.",
            "sending": "On its way to the platform.",
            "uncertain": "The platform did not answer. The portal checks whether it arrived before it sends again.",
            "done": "On the platform.",
            "present": "The platform has a contract with this external id already. Decide what becomes of your file.",
            "refused": "The platform said no. Your file is kept until you send it again or discard it.",
            "discarded": "Not sent; the file is gone.",
        },
    ),
)
COMMITMENTS = Help(
    "commitments",
    "What you have promised customers, by contract and in answers, beside your own standard.",
    (
        "Decide on suggestions found in contracts: accept, correct or dismiss.",
        "Look at the matrix for promises that are stricter than your standard.",
        "Resolve contradictions: two promises to one customer that can't both be kept.",
    ),
    meanings(
        Verdict.choices,
        {
            "": "You have set no standard for this kind of promise.",
            "harder": "You promised more than you usually do.",
            "equal": "What you promise everybody.",
            "easier": "You promised less than you usually do.",
            "unknown": "The two are in units that can't be compared.",
        },
    ),
)
INCIDENTS = Help(
    "incidents",
    "Whom to notify of an incident, by when, and what was said.",
    (
        "Create the incident: when it was noticed, and which data it is about.",
        "The plan lists the customers to notify, the earliest deadline first, by what their contracts promise.",
        "Notify each: check the draft, send it your way, and note who told whom and when.",
        "Close it. The log stays, and can be exported.",
        COMMENT,
    ),
    meanings(
        NoticeState.choices,
        {
            "to-tell": "This customer has to be notified.",
            "told": "Notified; by whom, when and how is in the log.",
            "not-needed": "Somebody decided that no notice is needed, with a reason.",
        },
    ),
)
SETTINGS_HELP = Help(
    SETTINGS_KEY,
    "How this tenant is connected, who works here, and what the desks do automatically.",
    (
        "Connect the platform first, then add the webhook: until then the portal asks for changes instead of being told.",
        "Invite your team, and give each person the lowest role that does their work.",
        "Set office hours and holidays before SLAs: targets count office time only.",
        "Choose what you and the team are told, and press Test on each channel.",
        "Look in the audit when you need to know who changed something, and when.",
    ),
    tuple((entry.label, f"{entry.note}. Open to {_from(entry.role)}.") for entry in SETTINGS),
    "What is where",
)
PORTFOLIO = Help(
    PORTFOLIO_KEY,
    "The work of all your tenants in one list, worst first, and how each tenant is doing.",
    (
        "Start at the top: what is overdue in any tenant stands above what is due today.",
        "Act in the row. It happens in the tenant that the row names, with the role you have there.",
        "Search all tenants, narrow the list to one tenant, one desk or your own work, and save those filters as a view.",
        "Look at the tenants below: one that has lost its connection or gets no events may have work that nobody sees yet.",
        "Copy rules, targets, office hours and notification choices to other tenants. You see what each gets first.",
    ),
    meanings(
        PORTFOLIO_TABS.items(),
        {
            "": "Everything, the most overdue first.",
            "overdue": "The due date or deadline has passed.",
            "today": "Due before midnight, in your time zone.",
            "others": "Somebody outside, or another teammate, has to act first.",
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
