#!/usr/bin/env python
"""Django's command line for the portal."""

import os
import sys

from portal.demo.environment import prepare


def main() -> None:
    """Run one command; a setting that is missing or unsafe is named in one line, without a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    if sys.argv[1:2] == ["demo"]:
        # The demo makes its own secrets; the settings that need them are read further down.
        prepare()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"The portal cannot start: {error}")


if __name__ == "__main__":
    main()
