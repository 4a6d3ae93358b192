"""When a tenant works: its office hours, holidays and time zone, and the arithmetic of office time."""
