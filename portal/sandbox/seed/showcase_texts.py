"""The words of a made-up Trust Center."""

RESOURCE_CATEGORIES = ("Reports and certificates", "Policies", "Legal")
CONTROLS = {
    "Infrastructure security": (
        ("Production access is restricted", "Only engineers on call can reach production, with a second factor."),
        ("Networks are segmented", "Customer data lives in networks without a route to the office."),
        ("Changes are reviewed", "A second engineer approves each change before it is deployed."),
    ),
    "Organizational security": (
        ("Staff are screened", "Everybody is screened before the first day of work."),
        ("Security training", "All staff are trained on hire and every year."),
    ),
    "Product security": (
        ("Data is encrypted at rest", "AES-256 with keys that are rotated every year."),
        ("Data is encrypted in transit", "TLS 1.2 or newer on every connection."),
        ("Penetration tests", "An independent firm tests the product every year."),
    ),
    "Data and privacy": (
        ("Retention is limited", "Customer data is deleted thirty days after the end of a contract."),
        ("Requests of data subjects", "Requests are answered within thirty days."),
    ),
}
# Two of them say another thing than the answers of the question bank: nobody has touched them since it was true.
FAQS = {
    "Hosting": (
        ("Where is customer data hosted?", "In two regions of the European Union; others on request."),
        ("Is the service available around the clock?", "Yes. The target is 99.9 percent a month."),
    ),
    "Privacy": (
        ("Do you sell customer data?", "No."),
        ("How is customer data deleted from backups?", "Backups expire after 90 days."),
        ("Who can see our data?", "Nobody but the people of your support request, and only with your consent."),
    ),
    "Assurance": (
        ("Do you have a SOC 2 report?", "Yes, Type II. Ask for access to read it."),
        ("Does your product use artificial intelligence or machine learning?", "No."),
        ("May we audit you?", "Once a year with thirty days of notice."),
    ),
}
SUBPROCESSORS = (
    ("Nimbus Cloud", "Germany", "Hosting"),
    ("Paper Plane Mail", "Ireland", "Transactional email"),
    ("Lighthouse Logs", "Germany", "Monitoring"),
    ("Switchboard", "Netherlands", "Customer support"),
    ("Ledgerline", "United States", "Billing"),
)
UPDATES = (
    ("SOC 2 Type II report for 2026 is available", "COMPLIANCE"),
    ("Subprocessor Lighthouse Logs moves to Germany", "PRIVACY"),
    ("Penetration test of 2026 completed", "SECURITY"),
    ("Degraded search on 12 March: what happened", "INCIDENT"),
    ("Customer-managed keys are coming", "ROADMAP"),
    ("New data processing agreement", "GENERAL"),
)
GROUPS = ("Everything", "Incidents only", "Legal news")
CONVERSATIONS = (
    ("Do you encrypt backups?", "Yes. Backups are encrypted with AES-256, like the data itself."),
    ("Where can I find your ISO certificate?", "In the documents of this Trust Center, under reports and certificates."),
    (
        "How fast do you tell us about a breach?",
        "Within 72 hours, or sooner where a contract says so.",
        "Is that in your agreement?",
        "Yes, in the data processing agreement.",
    ),
    (
        "Do you support SSO?",
        "Yes, with SAML and OpenID Connect.",
        "Is it part of every plan?",
        "Yes, at no extra cost.",
    ),
    ("Which subprocessors are outside the EU?", "Ledgerline, for billing. See the list of subprocessors."),
    (
        "Is your SOC 2 report a Type II?",
        "Yes. It covers security, availability and confidentiality.",
        "May we have it before the contract is signed?",
        "Yes. Ask for access here; an NDA comes first.",
    ),
    ("When was your last penetration test?", "This spring. The summary is among the documents."),
    ("Do you train models on customer data?", "No."),
    ("Can our data stay in the EU?", "Yes. Both regions are in the European Union."),
    (
        "what is your RTO and RPO",
        "Four hours and fifteen minutes. The last test of the plan met both.",
    ),
)
FRAMEWORKS = (
    ("SOC 2", "soc2"),
    ("ISO 27001", "iso27001_2022"),
    ("GDPR", "gdpr"),
    ("Our own baseline", None),
)
