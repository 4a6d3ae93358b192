"""Who did what: one append-only row per change, by a person, a rule, an event or the system. Never holds a secret."""
