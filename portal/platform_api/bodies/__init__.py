"""What can be written, as typed keyword arguments. Every field may be left out; where None is allowed it clears."""
