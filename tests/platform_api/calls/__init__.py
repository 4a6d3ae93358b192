"""Every call of the client once, with arguments that work, and those with an id that names nothing.

Each module of this package holds two tables, CALLS and MISSING, from the name of a definition to a call. A definition that is
missing in CALLS fails a test.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from tests.platform_api.world import World

type Calls = dict[str, Callable[[World], Any]]

TABLES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
CALLS: Calls = {name: call for table in TABLES for name, call in table.CALLS.items()}
MISSING: Calls = {name: call for table in TABLES for name, call in table.MISSING.items()}
