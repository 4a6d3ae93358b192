"""Template tags of the design system: `{% load look %}`."""
