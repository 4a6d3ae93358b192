"""Deliveries of the platform: received, verified, kept, then turned into facts and stale marks by the routes."""
