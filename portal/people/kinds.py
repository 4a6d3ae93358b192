"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area."""

PERSON, GROUP, IDP_GROUP = "person", "group", "idp_group"
AREA = "people"
