"""What the pages show, and what a plan is made of."""
