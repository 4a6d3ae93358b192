"""Invented vendors, and what is usually said about one. Two of them are subprocessors of the Trust Center, too."""

VENDORS = (
    ("Nimbus Cloud", "Cloud hosting", "Runs the production servers."),
    ("Pennybrook Payroll", "Human resources", "Pays salaries."),
    ("Paper Plane Mail", "Communication", "Sends the product's mail."),
    ("Ticketmoor", "Customer support", "Keeps the customers' questions."),
    ("Ledgerwick", "Finance", "Keeps the books."),
    ("Sentrivane", "Security", "Watches the laptops."),
    ("Chartfenn Analytics", "Analytics", "Counts visits of the product's pages."),
    ("Signaturely Moor", "Legal", "Signs contracts."),
    ("Backupholm", "Cloud hosting", "Keeps encrypted copies of backups."),
    ("Trainerside", "Human resources", "Teaches security awareness."),
    ("Callendrith", "Communication", "Runs the telephone system."),
    ("Codeharbour Works", "Development", "Keeps the source code."),
)
DISCOVERED = (
    ("Sketchlark", "Design"),
    ("Notewhistle", "Productivity"),
    ("Pollferry", None),
    ("Formgrove", "Marketing"),
    ("Clipmarrow", "Design"),
    ("Taskquarry", None),
    ("Slidebarrow", "Design"),
    ("Mindmapple", "Productivity"),
    ("Votewick", None),
)
ASSESSMENT_TYPES = (
    ("Security review", "The yearly review of a vendor's security.", "ACTIVE"),
    ("Privacy review", "How a vendor processes personal data.", "ACTIVE"),
    ("Onboarding check", "Before a contract is signed.", "ACTIVE"),
    ("Resilience review", None, "ACTIVE"),
    ("Questionnaire of 2022", "Replaced by the security review.", "ARCHIVED"),
)
ATTRIBUTES = (
    ("Processes personal data", "HIGH", ("Human resources", "Analytics")),
    ("Has access to production", "CRITICAL", ("Cloud hosting",)),
    ("Keeps source code", "HIGH", ("Development",)),
    ("Is needed for the service to run", "MEDIUM", ("Cloud hosting", "Communication")),
    ("Sees public information only", "LOW", ("Marketing",)),
)
LEVELS = ("LOW", "MEDIUM", "HIGH", "CRITICAL")
COUNTRIES = ("DEU", "IRL", "USA", "GBR", "FRA", "SWE")
UNKNOWN_DETAILS = dict.fromkeys(
    ("passwordMinimumLength", "passwordRequiresSymbol", "passwordRequiresNumber", "passwordMFA", "method")
)
AUTH_DETAILS = (
    UNKNOWN_DETAILS,
    UNKNOWN_DETAILS | {"method": "SSO", "passwordMFA": True},
    UNKNOWN_DETAILS | {"method": "USERNAME_PASSWORD", "passwordMinimumLength": 12, "passwordMFA": False},
)
REQUEST = {"url": "https://tasks.example/PROC-17", "service": "Taskquarry"}
DOCUMENT_TYPES = ("SOC_2_REPORT", "PENETRATION_TEST", "DATA_PROCESSING_AGREEMENT")
FINDINGS = (
    "The penetration test names two findings of medium weight that are not retested yet.",
    "Backups are restored once a year only.",
    "A second factor is not required of administrators.",
    "The list of subprocessors has no dates.",
    "Laptops of contractors are not managed.",
)
