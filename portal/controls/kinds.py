"""The kinds of platform objects that this desk mirrors, as runs, stale marks and audit rows name them, and its live area.

Controls in use are a copy that several desks need: `trust_center` keeps it, as its kind CONTROL.
"""

DEACTIVATED_CONTROL, EVIDENCE = "deactivated_control", "control_evidence"
FRAMEWORK, REQUIREMENTS = "framework", "framework_requirements"
TEST = "test"
AREA = "controls"
