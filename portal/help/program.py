"""What the help says of the desks about the company's own security."""

from portal.controls.models import TEST_STATUSES
from portal.documents.models import STATUSES as DOCUMENT_STATUSES
from portal.engagements.models.choices import REQUEST_STATUSES
from portal.help.pages import Help, meanings
from portal.lib.platform_choices import labels_of
from portal.people.models import STATUSES
from portal.risks.models import SEVERITIES
from portal.vendors.models.choices import STATUSES as VENDOR_STATUSES

PEOPLE = Help(
    "people",
    "The people at your own company as the platform knows them, and the groups they're in.",
    (
        "Narrow the list to open or overdue tasks to see who still has trainings or policies to complete.",
        "Open a person to see employment, leave, each task and the groups they are in.",
        "Export the filtered list when a questionnaire or an audit asks for it.",
        "As an admin, create a group or import it from your identity provider. Then select people and add them.",
        "Check the outcome for each person. Anyone not changed is listed with the reason, and you can retry.",
    ),
    meanings(
        labels_of(STATUSES).items(),
        {
            "CURRENT": "Works at your company.",
            "UPCOMING": "Starts on a later day.",
            "ON_LEAVE": "Away for a while; tasks can be paused.",
            "INACTIVE": "Known to the platform, but not at work.",
            "FORMER": "Has left your company.",
        },
    ),
)
DOCUMENTS = Help(
    "documents",
    "The evidence that your compliance program asks for. Not the documents that visitors of your Trust Center read.",
    (
        "Start with Needs evidence, then Renewal due. Documents with a renewal date are also work on Today, for their owners.",
        "Open a document to see its files and links, and the controls it proves.",
        "Upload a file with its effective date, or add a link to a page that proves it. Both go to the platform immediately.",
        "If an answer is lost, wait: the portal checks the platform's list and says whether the file arrived.",
        "As an approver, delete a file or remove a link. Downloads of sensitive documents are for analysts and above.",
    ),
    meanings(
        ((status, status) for status in DOCUMENT_STATUSES),
        {
            "Needs document": "The platform has no evidence yet.",
            "Needs update": "The evidence is too old.",
            "Not relevant": "It isn't in scope for your program.",
            "OK": "The evidence is current.",
        },
    ),
)
VENDORS = Help(
    "vendors",
    "The companies you buy from: how risky they are, when they are reviewed next, and what was decided about them.",
    (
        "Sort by next review, or narrow the list to overdue reviews, and do those first.",
        "Open a vendor to see its reviews, assessments, findings and documents. They are fetched when you open it.",
        "Add a finding, and say whether it has to be remediated. Approvers can accept a risk.",
        "As an approver, change the status once a vendor is bought or no longer used.",
        "Check the decisions on its page: a webhook event shows one immediately, and the platform confirms it.",
        "A vendor that your Trust Center names as a subprocessor is linked to that list, and the list to the vendor.",
    ),
    meanings(
        labels_of(VENDOR_STATUSES).items(),
        {
            "MANAGED": "In use, and reviewed regularly.",
            "IN_PROCUREMENT": "Being bought: review it before you sign.",
            "ARCHIVED": "No longer used. No review needed.",
        },
    ),
)
AUDITS = Help(
    "engagements",
    "The audits of an audit firm: what you asked each customer for, what they show you, and what you decided.",
    (
        "An owner connects with the id and secret of an auditor application. Without one, this desk is not in the navigation.",
        "Start with what is ready for audit: approvers see it under Today, too.",
        "Open a request to see its evidence, comments and history. As an approver, approve it, or flag it with a reason.",
        "Under Evidence, accept or flag an item, or mark it not applicable. Files are downloaded through the portal.",
        "Under Controls, assess each control for each segment of the audit, and justify it.",
        "Add what is missing: a request, evidence that you need, a control. Approvers share the requests with the customer.",
        "For the next audit of the same customer, duplicate the last one: its requests start over as drafts.",
        "Your decisions and comments are sent with your email address. It has to belong to one of your firm's auditors.",
    ),
    meanings(
        labels_of(REQUEST_STATUSES).items(),
        {
            "READY_FOR_AUDIT": "The customer submitted it. It's waiting for you.",
            "NEEDS_EVIDENCE": "The customer has not submitted it yet, or withdrew it.",
            "AUDITOR_FLAGGED": "You flagged it; the customer reads why.",
            "AUDITOR_APPROVED": "You approved what was submitted.",
        },
    ),
    "What the statuses of requests mean",
)
CONTROLS = Help(
    "controls",
    "What your company does for security: the controls, the frameworks they serve, the tests that prove them.",
    (
        "Look for a control when a questionnaire asks how something is done: its description says it in your own words.",
        "Open it to see its evidence, its tests, the requirements it serves, and what customers ask about it.",
        "Deactivated shows what is out of use and why. Library shows what the platform offers and you don't use.",
        "Open a framework to see its requirements, each with the controls that serve it.",
        "Export the filtered list when an auditor or a customer asks for it. Controls are changed on the platform.",
    ),
    meanings(
        labels_of(TEST_STATUSES).items(),
        {
            "NEEDS_ATTENTION": "Something the test checks is failing.",
            "INVALID": "The test could not be run.",
            "IN_PROGRESS": "It's running, or hasn't run for the first time yet.",
            "OK": "Everything it checks passes.",
            "NOT_APPLICABLE": "There is nothing to check.",
            "DEACTIVATED": "Someone turned it off on the platform.",
        },
    ),
    "What the results of tests mean",
)
RISKS = Help(
    "risks",
    "Issues that were found and have to be resolved, and risk scenarios with the controls that answer them.",
    (
        "Start with Overdue. An issue with a due date shows up under Today two weeks ahead, for its owner if they work here.",
        "Open an issue to see what was found, its root cause, and the controls and risk scenarios it is about.",
        "Under Risk scenarios, the score is likelihood times impact. The platform doesn't say which score counts as high.",
        "As an approver, open a risk scenario to add controls, say which exist and which are planned, or remove them.",
        "Export the filtered list when an audit asks for it. Everything else is changed on the platform.",
    ),
    meanings(
        labels_of(SEVERITIES).items(),
        {
            "CRITICAL": "Resolve it before anything else.",
            "HIGH": "Resolve it soon.",
            "MEDIUM": "Resolve it in the normal course of work.",
            "LOW": "Little depends on it.",
            "NO_SEVERITY": "Not rated yet.",
        },
    ),
    "What the severities mean",
)
