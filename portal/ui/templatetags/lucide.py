"""The tag for icons, which draws each of them once.

The package's own is not installed: it opens its archive of 1,745 icons for each that it does not have at hand (it keeps 128),
and copies and writes out a tree for every icon of every page.
"""

from functools import lru_cache
from typing import Final

from django import template
from lucide.templatetags.lucide import lucide

MAX_DRAWN: Final = 1000
"""Of an icon in one size and with one class."""

register = template.Library()
register.simple_tag(lru_cache(MAX_DRAWN)(lucide), name="lucide")
