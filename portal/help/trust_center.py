"""What the help says of the pages about the Trust Center."""

from portal.access_requests.filters import ALL
from portal.access_requests.viewer_filters import TABS
from portal.help.pages import Help, meanings

TRUST_CENTER = Help(
    "trust_center",
    "What visitors find in your Trust Center: documents, FAQs, controls, subprocessors, compliance frameworks and updates.",
    (
        "Check Needs renewal under Documents. A report or certificate counts as outdated a year after it was added.",
        "Press Upload a new version, grant it again and delete the old one, or press Set renewal and choose another date.",
        "Open To check: what expires, reports a year old, FAQs that contradict a sent answer. Correct or dismiss each.",
        "Press View as a visitor to see the Trust Center at each access level; for one person, open them under Viewers.",
        "Check who sees each document. Public means every visitor; an admin can change it.",
        "Keep FAQs short and true: every visitor can read them. Group them by category.",
        "Choose which of your controls visitors see, and in which categories. They see the categories in your order.",
        "Publish an update when something is new, and choose which subscribers get an email. You can undo it for 30 seconds.",
        "As an admin, change the title, text and contact address under Settings, and whether everyone can open it.",
        "As an approver, add, edit and delete the subprocessors and compliance frameworks that visitors read.",
    ),
    (
        ("Valid", "Renewal is more than 30 days away."),
        ("Renew soon", "Renewal is due within 30 days. It is now on the team's list."),
        ("Renewal overdue", "The renewal date has passed."),
        (
            "Contradicts a sent answer",
            "A finished questionnaire answers the question differently: Yes instead of No, or a different figure.",
        ),
        ("Dismissed", "Someone confirmed that it is right. It comes back when the content or the answers change."),
        ("No renewal", "Valid until someone changes it, like policies and agreements."),
    ),
)
VIEWERS = Help(
    "viewers",
    "Everyone with access to your Trust Center: what they can see, since when, and when it ends.",
    (
        "Check whose access ends in the next 30 days, and extend it or let it end.",
        "Run the access review: who was never active, has no contract, or writes from another domain.",
        "Change the expiry, reduce access or end it, for one person or many.",
    ),
    meanings(
        ((key, label) for key, label in TABS.items() if key != ALL),
        {
            "active": "Has access now.",
            "expiring": "Access ends within 30 days.",
            "ended": "Access has ended.",
        },
    ),
)
ACTIVITY = Help(
    "trust_center_activity",
    "What visitors look at, download and ask in your Trust Center.",
    (
        "See which companies are active, and what they look for.",
        "Watch for words in conversations, so that you don't miss a question about them.",
    ),
)
TAGS = Help(
    "tags",
    "The platform's tag categories, and the product contexts in which each is used.",
    (
        "As an admin, switch a category on or off for the Trust Center, for document sharing and for control sharing.",
        "To change whether questionnaires use a category, go to the platform.",
        "Open a category's tags, and choose one to see the questionnaires that have it.",
    ),
)
