"""The platform's words for people, in words of ours (platform-api 4.6). Open sets: an unknown word stays readable."""

from portal.lib.platform_words import Word, word_of

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


def task_word(status: str) -> Word:
    """Return words and tone of how it stands with tasks."""
    return word_of(status, TASK_STATUSES)


def status_word(status: str) -> Word:
    """Return words and tone of an employment."""
    return word_of(status, STATUSES)
