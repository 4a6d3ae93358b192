"""What the help says of the desks about the company's own security."""

from portal.controls.models import TEST_STATUSES
from portal.help.pages import Help, meanings
from portal.risks.models import SEVERITIES

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
        ((status, label) for status, (label, _) in TEST_STATUSES.items()),
        {
            "NEEDS_ATTENTION": "Something the test looks at fails.",
            "INVALID": "The test could not be run.",
            "IN_PROGRESS": "It is running, or its first run is still to come.",
            "OK": "Everything it looks at passes.",
            "NOT_APPLICABLE": "There is nothing to look at.",
            "DEACTIVATED": "Somebody has switched it off on the platform.",
        },
    ),
    "What the results of tests mean",
)
RISKS = Help(
    "risks",
    "Issues that were found and have to be resolved, and risk scenarios with the controls that answer them.",
    (
        "Start with Overdue. An issue with a due date stands under Today two weeks ahead, for its owner if they work here.",
        "Open an issue to see what was found, its root cause, and the controls and risk scenarios it is about.",
        "Under Risk scenarios, the score is likelihood times impact. Which score counts as high, the platform doesn't tell.",
        "As an approver, open a risk scenario and add controls to it, change their type, or take them off.",
        "Export the filtered list when an audit asks for it. Everything else is changed on the platform.",
    ),
    meanings(
        ((severity, label) for severity, (label, _) in SEVERITIES.items()),
        {
            "CRITICAL": "Resolve it before anything else.",
            "HIGH": "Resolve it soon.",
            "MEDIUM": "Resolve it in the usual course.",
            "LOW": "Little depends on it.",
            "NO_SEVERITY": "Nobody has rated it.",
        },
    ),
    "What the severities mean",
)
