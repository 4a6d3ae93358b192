"""Work that is done in Slack: access requests are decided there by members of the tenant."""
