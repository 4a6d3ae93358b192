"""The set-up of a new tenant as five steps, each on a page of its own, and where a person starts after signing in."""
