"""Helpers that know no room: settings from the environment, sealed values, keyset pages."""
