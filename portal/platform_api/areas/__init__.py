"""Every endpoint, declared in the area it belongs to."""
