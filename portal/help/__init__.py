"""A short page per desk for the people who work there: what it is for, a usual day, what each state means."""
