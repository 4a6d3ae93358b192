"""What the help says of the pages about the Trust Center."""

from portal.access_requests.filters import ALL
from portal.access_requests.viewer_filters import TABS
from portal.help.pages import Help, meanings

TRUST_CENTER = Help(
    "trust_center",
    "What visitors of your Trust Center find: documents, FAQs, controls, subprocessors, compliance frameworks and updates.",
    (
        "Look at Needs renewal under Documents. A report or certificate counts as outdated a year after it was added.",
        "Press Upload a new version, grant it again and delete the old one, or press Set renewal and choose another date.",
        "Open To check: what expires, reports a year old, FAQs that contradict a sent answer. Correct it or dismiss it.",
        "Press As a visitor sees it to see the Trust Center at each access level; for one person, open them under Viewers.",
        "Check who sees each document. Public means every visitor; an admin can change it.",
        "Keep FAQs short and true: every visitor can read them. Group them by category.",
        "Choose which of your controls visitors see, and in which categories. They see the categories in your order.",
        "Publish an update when something is new, and choose which subscribers get an email. You can undo it for 30 seconds.",
        "As an admin, change title, words and contact address under Settings, and whether everybody can open it.",
        "As an approver, add, edit and delete the subprocessors and compliance frameworks that visitors read.",
    ),
    (
        ("Valid", "The day of its renewal is more than 30 days away."),
        ("Renew soon", "It has to be renewed within 30 days. It is work of the team from now on."),
        ("Renewal overdue", "Its day has passed."),
        (
            "Contradicts a sent answer",
            "A finished questionnaire has another answer to the question: Yes for No, another figure.",
        ),
        ("Dismissed", "Somebody said that it is right. It comes back when the content or the answers change."),
        ("No renewal", "It holds until somebody changes it, as policies and agreements do."),
    ),
)
VIEWERS = Help(
    "viewers",
    "Everybody who has access to your Trust Center, to what, since when and until which day.",
    (
        "Check who ends in the next 30 days, and extend or let it end.",
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
        "Watch words in conversations, so that a question about them is not missed.",
    ),
)
TAGS = Help(
    "tags",
    "The platform's tag categories, and the product contexts in which each is used.",
    (
        "Switch a category on or off for the Trust Center, for document sharing and for control sharing.",
        "Whether questionnaires use a category is changed on the platform's own pages.",
        "Open a category's tags, and choose one to see the questionnaires that have it.",
    ),
)
