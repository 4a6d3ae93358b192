"""Risks that a company writes down, and what is found wrong in one."""

RISKS = (
    ("A laptop with customer data is stolen", "Devices"),
    ("An employee gives a password away to a forged page", "Access"),
    ("A backup cannot be restored", "Continuity"),
    ("A supplier with access to production is broken into", "Suppliers"),
    ("A new market brings rules that nobody knows yet", "Strategy"),
    ("A leaver keeps access to the source code", "Access"),
    ("A weakness in a library is used before it is mended", "Software"),
    ("The office cannot be entered for a week", "Continuity"),
    ("Personal data is kept longer than promised", "Privacy"),
    ("The largest customer does not renew", "Strategy"),
    ("A wrong change reaches production unseen", "Software"),
    ("A region of the hosting provider fails for a day", "Continuity"),
    ("Logs are changed to hide an intrusion", "Access"),
    ("A test system holds real data", "Privacy"),
    ("Two people in the company know how to restore the database", "People"),
)
FOUND = (
    ("Access of leavers is removed too late", "Three accounts were still active after two days."),
    ("The restore test was not written down", "It took place, but there is no record of its result."),
    ("Two laptops have no disk encryption", "Both belong to contractors."),
    ("The supplier list has no owner", "Nobody has confirmed it this year."),
    ("A change went live without a review", "The rule that asks for one was switched off for a day."),
    ("The privacy notice names an old address", "The office moved in spring."),
)
DOMAINS = ("Access control", "Operations", "Supplier management", "Change management")
