"""The kinds of platform objects that this desk reads, as runs and stale marks name them."""

REQUEST, VIEWER = "access_request", "viewer"
CONTRACT = "contract"
"""Of a sister desk: this one only asks whether its list was read."""
