"""What is to do over all desks: one row per item, kept up by the database from the desks' own writes. Knows no desk."""
