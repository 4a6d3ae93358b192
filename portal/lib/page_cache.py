"""The cache for fragments of pages: in the process, unless CACHE_URL is set. Django's default one is for shared counts."""

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy

cache: BaseCache = ConnectionProxy(caches, "pages")  # type: ignore[assignment] # it hands everything on to one
