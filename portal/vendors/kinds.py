"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area."""

VENDOR, PARTS, LABELS = "vendor", "vendor_parts", "vendor_labels"
ALL_OF_THEM = "all"
"""The id of the one mark that has the names of owners and risk attributes read."""
FINDING = "vendor_finding"
"""In the details of audit rows, which stand with the vendor: findings are fetched with its other parts."""
AREA = "vendors"
