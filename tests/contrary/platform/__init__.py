"""A platform as the specification allows it and our sandbox is not: a WSGI application of its own, with moods.

It shares no line with the portal or the sandbox. What the specification says, it obeys; what it leaves open, it decides
otherwise than the sandbox does: ids with every legal character, times in every legal spelling, fields left out, another shape
of errors, small pages, an issuer of its own. A mood makes it fail, or answer oddly, on the paths that a test names.
"""

from tests.contrary.platform.app import HOSTS, ISSUER, Platform
from tests.contrary.platform.moods import CANARY, LOSING, REFUSING, Mood
from tests.contrary.platform.oddities import MOODS, TOKENS
from tests.contrary.platform.world import TOKEN, World

__all__ = ["CANARY", "HOSTS", "ISSUER", "LOSING", "MOODS", "REFUSING", "TOKEN", "TOKENS", "Mood", "Platform", "World"]
