"""The progress of the copy on any page."""
