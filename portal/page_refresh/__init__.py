"""Tells open pages that something they show has changed: one number per tenant and area, raised with the change itself."""
