"""Vendors and their parts (specification 2.5 and 3.4, platform-api 4.7)."""

from portal.sandbox.kinds.codes import COUNTRIES, CURRENCIES
from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    MAYBE_BOOLEAN,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    NUMBER,
    STRING,
    array,
    nullable,
    one_of,
    record,
)
from portal.sandbox.store import Json

DECISIONS = ("APPROVED", "CONDITIONALLY_APPROVED", "NOT_APPROVED")
STATUSES = ("MANAGED", "ARCHIVED", "IN_PROCUREMENT")
RISK_LEVELS = ("UNSCORED", "LOW", "MEDIUM", "HIGH", "CRITICAL")
ASSESSMENT_STATUSES = ("NOT_STARTED", "IN_PROGRESS", "COMPLETED")
TYPE_STATUSES = ("ACTIVE", "ARCHIVED")
NEEDS_REVIEW, IGNORED, REJECTED = SCOPES = ("NEEDS_REVIEW", "IGNORED", "REJECTED")
AUTH_METHODS = (
    *("AUTH_0", "AZURE_AD", "GOOGLE_WORKSPACE", "O_AUTH", "O365", "OKTA", "ONE_LOGIN", "OWA", "SSO"),
    *("USERNAME_PASSWORD", "OTHER"),
)
RISK_STATUSES = ("NONE", "ACCEPT", "REMEDIATE")

DECISION = record(status=one_of(*DECISIONS), lastUpdatedAt=MOMENT)
AUTH_DETAILS = record(
    passwordMinimumLength=nullable(NUMBER),
    passwordRequiresSymbol=MAYBE_BOOLEAN,
    passwordRequiresNumber=MAYBE_BOOLEAN,
    passwordMFA=MAYBE_BOOLEAN,
    method=nullable(one_of(*AUTH_METHODS)),
)
VENDOR = record(
    id=STRING,
    name=STRING,
    status=one_of(*STATUSES),
    category=nullable(record(displayName=STRING)),
    websiteUrl=MAYBE_STRING,
    accountManagerName=MAYBE_STRING,
    accountManagerEmail=MAYBE_STRING,
    servicesProvided=MAYBE_STRING,
    additionalNotes=MAYBE_STRING,
    securityOwnerUserId=MAYBE_STRING,
    businessOwnerUserId=MAYBE_STRING,
    contractStartDate=MAYBE_MOMENT,
    contractRenewalDate=MAYBE_MOMENT,
    contractTerminationDate=MAYBE_MOMENT,
    contractAmount=nullable(record(amount=NUMBER, currency=one_of(*CURRENCIES))),
    nextSecurityReviewDueDate=MAYBE_MOMENT,
    lastSecurityReviewCompletionDate=MAYBE_MOMENT,
    isVisibleToAuditors=MAYBE_BOOLEAN,
    isRiskAutoScored=MAYBE_BOOLEAN,
    riskAttributeIds=IDS,
    inherentRiskLevel=one_of(*RISK_LEVELS),
    residualRiskLevel=one_of(*RISK_LEVELS),
    vendorHeadquarters=nullable(one_of(*COUNTRIES)),
    authDetails=AUTH_DETAILS,
    customFields=nullable(array(record(label=STRING, value={"anyOf": [STRING, IDS]}))),
    latestDecision=nullable(DECISION),
    linkedTaskTrackerTaskProcurementRequest=nullable(record(url=STRING, service=STRING)),
)
UPLOADER = record(type=one_of("USER", "APPLICATION"), id=STRING)
DOCUMENT = record(
    id=STRING,
    title=STRING,
    fileName=MAYBE_STRING,
    type=STRING,
    description=MAYBE_STRING,
    mimeType=STRING,
    uploadedBy=nullable(UPLOADER),
    creationDate=MOMENT,
    updatedDate=MOMENT,
    deletionDate=MAYBE_MOMENT,
    url=STRING,
)
FINDING = record(
    id=STRING,
    vendorId=STRING,
    content=STRING,
    riskStatus=one_of(*RISK_STATUSES),
    securityReviewId=MAYBE_STRING,
    documentId=MAYBE_STRING,
    remediation=nullable(record(state=one_of("OPEN", "CLOSED"), requirementNotes=MAYBE_STRING)),
)
OWNER = record(id=STRING, type=one_of("USER", "TEAM"), displayName=MAYBE_STRING, email=MAYBE_STRING)
"""The e-mail address is that of a user: teams have none (specification 2.5)."""
TYPE_SHOWN = record(id=STRING, name=STRING, description=MAYBE_STRING)
TIMES = {
    "completedByUserId": MAYBE_STRING,
    "startDate": MAYBE_MOMENT,
    "dueDate": MAYBE_MOMENT,
    "overrideDueDate": MAYBE_MOMENT,
    "completionDate": MAYBE_MOMENT,
}
SECURITY_REVIEW = record(
    id=STRING,
    vendorId=STRING,
    decisionNotes=MAYBE_STRING,
    comments=MAYBE_STRING,
    **TIMES,
    decision=nullable(DECISION),
    assessmentType=TYPE_SHOWN,
    owner=nullable(OWNER),
)
ASSESSMENT = record(
    id=STRING,
    vendorId=STRING,
    status=one_of(*ASSESSMENT_STATUSES),
    **TIMES,
    createdDate=MOMENT,
    decision=nullable(record(comments=MAYBE_STRING, lastUpdatedAt=MOMENT, status=one_of(*DECISIONS))),
    assessmentType=TYPE_SHOWN,
    owner=nullable(OWNER),
)
ASSESSMENT_TYPE = record(id=STRING, name=STRING, description=MAYBE_STRING, status=one_of(*TYPE_STATUSES))
RISK_ATTRIBUTE = record(
    id=STRING, name=STRING, description=STRING, vendorCategories=IDS, enabled=BOOLEAN, riskLevel=one_of(*RISK_LEVELS)
)
DISCOVERY_SOURCES = ("GSUITE", "JAMF", "OFFICE", "OKTA", "VENDR")
DISCOVERED = record(
    id=STRING,
    name=STRING,
    normalizedName=STRING,
    category=nullable(record(name=STRING)),
    source=one_of(*DISCOVERY_SOURCES),
    discoveredDate=MOMENT,
    numberOfAccounts=NUMBER,
    ignored=nullable(record(ignoredAtDate=MAYBE_MOMENT, ignoredReason=MAYBE_STRING, ignoredByUserId=MAYBE_STRING)),
    rejected=nullable(record(rejectedAtDate=MAYBE_MOMENT, rejectedReason=MAYBE_STRING, rejectedByUserId=MAYBE_STRING)),
)
ACCOUNT_OF_USER = record(type=one_of("USER"), id=STRING, email=STRING, displayName=STRING)
KEPT_ACCOUNT = record(
    id=STRING,
    type=one_of("USER", "COMPUTER"),
    optional={"displayName": STRING, "email": STRING, "owner": nullable(ACCOUNT_OF_USER)},
)
DISCOVERED_ACCOUNT: Json = {
    "anyOf": [
        ACCOUNT_OF_USER,
        record(type=one_of("COMPUTER"), id=STRING, owner=nullable(ACCOUNT_OF_USER), optional={"displayName": STRING}),
    ]
}

VENDORS, DOCUMENTS, REVIEW_DOCUMENTS, FINDINGS = (
    "vendors",
    "vendor-documents",
    "security-review-documents",
    "vendor-findings",
)
REVIEWS, ASSESSMENTS, ASSESSMENT_TYPES = "security-reviews", "vendor-assessments", "vendor-assessment-types"
ATTRIBUTES, DISCOVERIES, ACCOUNTS = "vendor-risk-attributes", "discovered-vendors", "discovered-vendor-accounts"
KINDS = (
    Kind(name=VENDORS, title="Vendor", shape=VENDOR, by="vendor_id"),
    Kind(name=DOCUMENTS, title="Vendor document", shape=DOCUMENT, parent="vendor_id"),
    Kind(name=FINDINGS, title="Finding", shape=FINDING, by="vendor_finding_id", parent="vendor_id"),
    Kind(name=REVIEWS, title="Security review", shape=SECURITY_REVIEW, by="security_review_id", parent="vendor_id"),
    Kind(
        name=REVIEW_DOCUMENTS,
        title="Security review document",
        shape=DOCUMENT,
        by="security_review_document_id",
        parent="security_review_id",
        is_soft=True,
    ),
    Kind(name=ASSESSMENTS, title="Vendor assessment", shape=ASSESSMENT, by="vendor_assessment_id", parent="vendor_id"),
    Kind(name=ASSESSMENT_TYPES, title="Vendor assessment type", shape=ASSESSMENT_TYPE, by="assessment_type_id"),
    Kind(name=ATTRIBUTES, title="Vendor risk attribute", shape=RISK_ATTRIBUTE),
    Kind(name=DISCOVERIES, title="Discovered vendor", shape=DISCOVERED, by="discovered_vendor_id"),
    Kind(name=ACCOUNTS, title="Account at a discovered vendor", shape=KEPT_ACCOUNT, parent="discovered_vendor_id"),
)
