import os

import django
from django.test.utils import setup_test_environment

from tests import environment  # noqa: F401 - fills the environment


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    setup_test_environment(debug=False)
    # These need Django to be set up.
    from tests.bench.lists import print_lists
    from tests.bench.pages import print_pages
    from tests.bench.receiver import print_receiver
    from tests.bench.world import create_database, drop_database

    create_database()
    try:
        print_pages()
        print_receiver()
        print_lists()
    finally:
        drop_database()


if __name__ == "__main__":
    main()
