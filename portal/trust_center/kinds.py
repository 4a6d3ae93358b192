"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area."""

RESOURCE, FAQ, FAQ_CATEGORY = "resource", "faq", "faq_category"
SUBPROCESSOR, FRAMEWORK = "subprocessor", "shown_framework"
SHOWN_CONTROL, CONTROL_CATEGORY, CONTROL = "shown_control", "control_category", "control"
UPDATE, SUBSCRIBER, SUBSCRIBER_GROUP = "update", "subscriber", "subscriber_group"
PUBLICATION = "publication"
"""No object of the platform yet: an update that is held back."""
AREA = "trust_center"
