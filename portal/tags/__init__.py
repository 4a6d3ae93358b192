"""Which tag categories are used in which product context of the platform, as switches (specification section 4.7)."""
