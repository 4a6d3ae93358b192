"""The design system: navigation, components as template tags, the form renderer, the style guide. Knows no desk."""
