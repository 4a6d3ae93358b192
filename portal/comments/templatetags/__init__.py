"""The tag of regions that keep themselves up to date."""
