"""The Trust Center, requests for access to it, viewers, their activity, and documents (platform-api 4.5.1-4.5.5)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    BOOLEAN,
    IDS,
    MAYBE_MOMENT,
    MAYBE_STRING,
    MOMENT,
    PERSON,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)

FULL, PARTIAL = "FULL_ACCESS", "PARTIAL_ACCESS"
LEVEL = one_of(FULL, PARTIAL)
VISIBILITY_MODES = one_of("SHOW_OK_ONLY", "SHOW_OK_AND_UNMAPPED", "SHOW_ALL_WITHOUT_STATUS", "SHOW_ALL_WITH_STATUS")
PAGES = ("COMPLIANCE", "CONTROLS", "FAQ", "MEDIA", "OVERVIEW", "RESOURCES", "SUBPROCESSORS", "UPDATES")
ACTIVITY_TYPES = ("PAGE_VIEW", "RESOURCE_DOWNLOAD", "RESOURCE_VIEW", "VIDEO_PLAY")
PROVIDERS = one_of("DOCUSIGN", "ONE_CLICK", "SFDC_BYPASS", "HUBSPOT_BYPASS", "IRONCLAD_BYPASS")

BANNER = record(
    setting=nullable(one_of("CUSTOM_IMAGE", "GRADIENT", "MINIMAL", "PLATFORM")),
    startColor=MAYBE_STRING,
    endColor=MAYBE_STRING,
)
TRUST_CENTER = record(
    id=STRING,
    title=MAYBE_STRING,
    companyDescription=MAYBE_STRING,
    privacyPolicy=MAYBE_STRING,
    awsMarketplaceListing=MAYBE_STRING,
    contactEmail=MAYBE_STRING,
    customHeading=MAYBE_STRING,
    customDomain=MAYBE_STRING,
    isPublic=BOOLEAN,
    bannerSetting=BANNER,
    customTheme=record(primary=MAYBE_STRING, secondary=MAYBE_STRING),
    controlVisibilityMode=VISIBILITY_MODES,
    creationDate=MOMENT,
    updatedDate=MOMENT,
)
ACCESS_REQUEST = record(
    id=STRING,
    email=STRING,
    name=STRING,
    companyName=STRING,
    reason=STRING,
    requestedResources=nullable(IDS),
    accessLevel=LEVEL,
    creationDate=MOMENT,
    updatedDate=MOMENT,
)
DECIDED_REQUEST = extended(ACCESS_REQUEST, outcome=one_of("APPROVED", "DENIED"), manualDenialReason=MAYBE_STRING)
NDA = record(
    provider=PROVIDERS,
    satisfiedDate=MAYBE_MOMENT,
    docuSign=nullable(record(envelopeId=STRING, accountId=STRING, accountBaseUrl=STRING)),
    oneClick=nullable(record(ndaUploadedDocumentId=MAYBE_STRING, name=STRING, date=MOMENT)),
)
ASSOCIATION = record(service=one_of("SALESFORCE", "HUBSPOT", "IRONCLAD"), id=STRING, objectType=STRING)
VIEWER = record(
    id=STRING,
    email=STRING,
    name=MAYBE_STRING,
    companyName=MAYBE_STRING,
    resourceIds=nullable(IDS),
    accessLevel=LEVEL,
    ndaInfo=nullable(NDA),
    externalServiceAssociations=nullable(array(ASSOCIATION)),
    creationDate=MOMENT,
    updatedDate=MOMENT,
    expirationDate=MAYBE_MOMENT,
    addedByUser=nullable(PERSON),
    customerTrustAccountId=MAYBE_STRING,
)
DETAILS = (record(page=one_of(*PAGES)), record(resourceId=STRING, resourceName=STRING), record(videoTitle=STRING))
ACTIVITY = record(
    id=STRING,
    date=MOMENT,
    eventType=one_of(*ACTIVITY_TYPES),
    details={"anyOf": [*DETAILS, {"type": "null"}]},
    viewerId=MAYBE_STRING,
    viewerEmail=MAYBE_STRING,
    city=MAYBE_STRING,
    countryCode=MAYBE_STRING,
)
RESOURCE = record(
    id=STRING,
    fileName=MAYBE_STRING,
    title=STRING,
    description=MAYBE_STRING,
    mimeType=STRING,
    creationDate=MOMENT,
    updatedDate=MOMENT,
    isPublic=BOOLEAN,
)
KINDS = (
    Kind(name="trust-centers", title="Trust Center", shape=TRUST_CENTER),
    Kind(name="access-requests", title="Access request", shape=ACCESS_REQUEST, by="request_id"),
    Kind(name="historical-access-requests", title="Access request", shape=DECIDED_REQUEST),
    Kind(name="viewers", title="Viewer", shape=VIEWER, by="viewer_id"),
    Kind(name="activity", title="Activity event", shape=ACTIVITY),
    Kind(name="resources", title="Resource", shape=RESOURCE, by="resource_id"),
)
