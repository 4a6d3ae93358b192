"""The platform's own event log, and which of its entries are writes of this portal (specification §5, `GET /event-logs`)."""
