"""The lists of the platform for people, and what pages call their values (platform-api 4.6). An unknown one stays readable."""

from portal.lib.platform_choices import Pill, pill_of

STATUSES = {
    "CURRENT": ("Current", "good"),
    "UPCOMING": ("Starts later", "info"),
    "ON_LEAVE": ("On leave", "warn"),
    "INACTIVE": ("Inactive", "muted"),
    "FORMER": ("Former", "muted"),
}
TASK_STATUSES = {
    "COMPLETE": ("Done", "good"),
    "DUE_SOON": ("Due soon", "warn"),
    "OVERDUE": ("Overdue", "bad"),
    "NONE": ("No tasks", "muted"),
    "PAUSED": ("Paused", "muted"),
    "OFFBOARDING_COMPLETE": ("Offboarding done", "good"),
    "OFFBOARDING_DUE_SOON": ("Offboarding due soon", "warn"),
    "OFFBOARDING_OVERDUE": ("Offboarding overdue", "bad"),
}
OVERDUE = ("OVERDUE", "OFFBOARDING_OVERDUE")
OPEN = (*OVERDUE, "DUE_SOON", "OFFBOARDING_DUE_SOON")
DONE = ("COMPLETE", "OFFBOARDING_COMPLETE")
ON_LEAVE = "ON_LEAVE"
LEAVE_NOW, LEAVE_LATER = "ACTIVE", "UPCOMING"
OWN = "platform"
"""How the platform calls itself where something comes from nowhere else, folded."""
TASKS = {
    "completeTrainings": "Trainings",
    "acceptPolicies": "Policies to accept",
    "completeCustomTasks": "Custom tasks",
    "completeOffboardingCustomTasks": "Offboarding tasks",
    "installDeviceMonitoring": "Device monitoring",
    "completeBackgroundChecks": "Background checks",
}
"""What the platform's kinds of tasks are called (specification 2.1)."""


def task_pill(status: str) -> Pill:
    """Return words and tone of how it stands with tasks."""
    return pill_of(status, TASK_STATUSES)


def status_pill(status: str) -> Pill:
    """Return words and tone of an employment."""
    return pill_of(status, STATUSES)
