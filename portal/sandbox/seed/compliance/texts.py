"""What the program of a made-up tenant consists of, in words."""

FRAMEWORKS = (
    ("soc2", "SOC 2", "SOC2", "Security, availability and confidentiality of a service organization."),
    ("iso27001_2022", "ISO/IEC 27001:2022", "ISO27001", "Information security management systems."),
    ("gdpr", "GDPR", "GDPR", "Protection of personal data in the European Union."),
    ("nist171r3", "NIST SP 800-171 Revision 3", "NIST171r3", "Protecting controlled unclassified information."),
)
SECTIONS = {
    "soc2": ("CC6.1", "CC6.6", "CC7.2", "A1.2"),
    "iso27001_2022": ("A.5.15", "A.8.8", "A.8.24"),
    "gdpr": ("Art. 28", "Art. 32", "Art. 33"),
    "nist171r3": ("03.01.01", "03.05.03", "03.06.01"),
}
CONTROLS = (
    (
        "Access is granted by role",
        "Access to production follows the role of a person and is approved by its owner.",
        "IDENTIFICATION_&_AUTHENTICATION",
    ),
    (
        "Access is reviewed quarterly",
        "Owners of systems review who has access at least every three months.",
        "IDENTIFICATION_&_AUTHENTICATION",
    ),
    (
        "Multi-factor authentication",
        "Every account of the identity provider needs a second factor.",
        "IDENTIFICATION_&_AUTHENTICATION",
    ),
    ("Encryption in transit", "Data in transit is encrypted with TLS 1.2 or later.", "CRYPTOGRAPHIC_PROTECTIONS"),
    ("Encryption at rest", "Data stores with customer data are encrypted.", "CRYPTOGRAPHIC_PROTECTIONS"),
    (
        "Vulnerabilities are remediated",
        "Critical vulnerabilities are remediated within fourteen days.",
        "VULNERABILITY_&_PATCH_MANAGEMENT",
    ),
    ("Penetration test", "An independent tester examines the product once a year.", "VULNERABILITY_&_PATCH_MANAGEMENT"),
    ("Incident response", "Incidents are classified, handled and reviewed by a named team.", "INCIDENT_RESPONSE"),
    ("Backups are restored", "A restore of every backup is tried twice a year.", "BUSINESS_CONTINUITY_&_DISASTER_RECOVERY"),
    ("Vendors are assessed", "Vendors with access to customer data are assessed before use.", "THIRD-PARTY_MANAGEMENT"),
    ("Changes are reviewed", "Every change of code is reviewed by somebody other than its author.", "CHANGE_MANAGEMENT"),
    (
        "People are trained",
        "Everybody completes security training within thirty days and every year.",
        "SECURITY_AWARENESS_&_TRAINING",
    ),
)
DEACTIVATED = (
    (
        "Wireless networks are segmented",
        "Guests use a wireless network of their own.",
        "NETWORK SECURITY",
        "There is no office",
    ),
    (
        "Removable media are blocked",
        "Computers refuse removable media.",
        "MOBILE_DEVICE_MANAGEMENT",
        "Covered by another control",
    ),
    ("Paper records are shredded", "Confidential paper is shredded.", "PHYSICAL", "There are no paper records"),
    ("Visitors are escorted", "Visitors sign in and are escorted.", "PHYSICAL", None),
)
TESTS = (
    ("Multi-factor authentication on cloud accounts", "Accounts access", "cloud-harbour", "OK"),
    ("Accounts of leavers are removed", "Accounts access", "gatehouse-identity", "NEEDS_ATTENTION"),
    ("Storage is encrypted", "Infrastructure", "cloud-harbour", "OK"),
    ("Storage is not public", "Infrastructure", "cloud-harbour", "OK"),
    ("Critical vulnerabilities are remediated in time", "Vulnerability management", "plumbline-scanner", "NEEDS_ATTENTION"),
    ("Changes have an approving review", "Software development", "codeloft", "OK"),
    ("Computers have an encrypted disk", "Computers", "gatehouse-identity", "IN_PROGRESS"),
    ("Backups are switched on", "Infrastructure", "cloud-harbour", "DEACTIVATED"),
    ("Security training is completed", "People", "gatehouse-identity", "NOT_APPLICABLE"),
    ("Servers send their logs", "Logging", "cloud-harbour", "INVALID"),
)
POLICIES = (
    "Information Security Policy",
    "Access Control Policy",
    "Incident Response Plan",
    "Business Continuity Plan",
    "Vendor Management Policy",
    "Data Retention Policy",
)
INTEGRATIONS = (
    (
        "cloud-harbour",
        "Cloud Harbour",
        (("CloudAccount", "Account"), ("StorageBucket", "StorageBucket"), ("VirtualMachine", "ComputeInstance")),
    ),
    (
        "gatehouse-identity",
        "Gatehouse Identity",
        (("UserAccount", "Account"), ("UserGroup", "Resource"), ("Computer", "Device")),
    ),
    ("codeloft", "Codeloft", (("Repository", "GitRepository"), ("ChangeRequest", "Resource"), ("CodeAccount", "Account"))),
    (
        "plumbline-scanner",
        "Plumbline Scanner",
        (("Finding", "Resource"), ("ScannedImage", "ContainerRepository"), ("ScanTarget", "ComputeInstance")),
    ),
)
"""Each kind of resources with the type in which one is answered."""
DOCUMENTS = (
    ("Network diagram", "A current diagram of networks and data flows.", "Infrastructure", "P1Y"),
    ("Penetration test report", "The report of the independent tester and the response.", "Vulnerability management", "P1Y"),
    ("Quarterly access review", "Evidence that owners reviewed who has access.", "Accounts access", "P3M"),
    ("Board minutes", "Minutes that show how management oversees security.", "Policies", "P3M"),
    ("Business continuity test", "Plan, course and lessons of the last test.", "Infrastructure", "P1Y"),
    ("Incident report sample", "One incident from detection to review.", "Monitoring alerts", "P1Y"),
    ("Cyber insurance policy", "The certificate of the current year.", "Risk analysis", "P1Y"),
    ("Vendor agreements", "Signed agreements with vendors that hold customer data.", "Vendors", "P6M"),
    ("Background check sample", "Confirmation of checks of people hired this year.", "Employees", "P6M"),
    ("Organization chart", "Who reports to whom.", "People", "P1Y"),
    ("Data deletion record", "Evidence that customer data was deleted after termination.", "Data storage", "P6M"),
    ("Risk assessment report", "The result of the yearly assessment.", "Risk analysis", "P1Y"),
)
ACTIONS = (
    ("UPLOAD_DOCUMENT", "DOCUMENT"),
    ("UPDATE_CONTROL", "CONTROL"),
    ("DEACTIVATE_TEST_ENTITY", "TEST"),
    ("APPROVE_POLICY", "POLICY"),
    ("UNDELETE_PROGRAM_SEGMENT", "PROGRAM_SEGMENT"),
    ("REMOVE_DATA_SUBJECT_REQUEST_RELATIONSHIP_OPTION", "DATA_SUBJECT_REQUEST"),
    ("CREATE_TRUST_CENTER_FAQ_CATEGORY", "TRUST_CENTER_FAQ_CATEGORY"),
    ("UPDATE_TRUST_CENTER_RESOURCE_CATEGORY", "TRUST_CENTER_RESOURCE_CATEGORY"),
    ("RUN_QUESTIONNAIRE_AUTOMATION", "QUESTIONNAIRE_AUTOMATION"),
)
