"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area."""

ISSUE, ISSUE_OWNER = "issue", "issue_owner"
RISK_SCENARIO, RISK_CONTROLS = "risk_scenario", "risk_controls"
AREA = "risks"
