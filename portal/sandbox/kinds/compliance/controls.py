"""Controls, what they are mapped to, and frameworks (platform-api 4.10)."""

from portal.sandbox.kinds.kind import Kind
from portal.sandbox.schemas import (
    IDS,
    INTEGER,
    MAYBE_MOMENT,
    MAYBE_STRING,
    STRING,
    array,
    extended,
    nullable,
    one_of,
    record,
)

ROLES = one_of("BOTH", "CONTROLLER", "PROCESSOR")
SOURCES = one_of("Custom", "Platform")
STATUSES = one_of("NO_EVIDENCE_MAPPED", "NOT_STARTED", "IN_PROGRESS", "COMPLETED")
CUSTOM_FIELD = record(label=STRING, value={"anyOf": [STRING, IDS]})
OWNER = record(id=STRING, emailAddress=STRING, displayName=STRING)
CONTROL = record(
    id=STRING,
    externalId=MAYBE_STRING,
    name=STRING,
    description=STRING,
    source=SOURCES,
    domains=IDS,
    owner=nullable(OWNER),
    customFields=array(CUSTOM_FIELD),
    creationDate=MAYBE_MOMENT,
    modificationDate=MAYBE_MOMENT,
    optional={"role": ROLES},
)
"""As lists show it."""
COUNTED_CONTROL = extended(
    CONTROL,
    numDocumentsPassing=INTEGER,
    numDocumentsTotal=INTEGER,
    numTestsPassing=INTEGER,
    numTestsTotal=INTEGER,
    status=STATUSES,
    note=MAYBE_STRING,
)
CONTROL_FRAMEWORK = record(id=STRING, displayName=STRING, shorthandName=STRING, sections=IDS)
DEACTIVATED_CONTROL = extended(CONTROL, frameworks=array(CONTROL_FRAMEWORK), deactivationReason=MAYBE_STRING)
MAPPING = record(id=STRING, type=one_of("document", "test", "framework"), target=STRING, section=MAYBE_STRING)
"""What a control is mapped to: a document, a test, or a section of a framework."""
FRAMEWORK = record(
    id=STRING,
    displayName=STRING,
    shorthandName=STRING,
    description=STRING,
    numControlsCompleted=INTEGER,
    numControlsTotal=INTEGER,
    numDocumentsPassing=INTEGER,
    numDocumentsTotal=INTEGER,
    numTestsPassing=INTEGER,
    numTestsTotal=INTEGER,
)
REQUIRED_CONTROL = record(id=STRING, name=STRING, description=STRING, externalId=MAYBE_STRING)
REQUIREMENT = record(id=STRING, name=STRING, shorthand=MAYBE_STRING, description=MAYBE_STRING, controls=array(REQUIRED_CONTROL))
CATEGORY = record(id=STRING, name=STRING, shorthand=MAYBE_STRING, requirements=array(REQUIREMENT))
DETAILED_FRAMEWORK = extended(FRAMEWORK, requirementCategories=array(CATEGORY))
KINDS = (
    Kind(name="controls", title="Control", shape=COUNTED_CONTROL, by="control_id"),
    Kind(name="control-mappings", title="Mapping of a control", shape=MAPPING, parent="control_id"),
    Kind(name="deactivated-controls", title="Deactivated control", shape=DEACTIVATED_CONTROL),
    Kind(name="frameworks", title="Framework", shape=DETAILED_FRAMEWORK, by="framework_id"),
)
