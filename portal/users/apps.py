from django.apps import AppConfig
from django.db.models.signals import post_migrate


class UsersConfig(AppConfig):
    name = "portal.users"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.users.signals import make_cache_table

        post_migrate.connect(make_cache_table, sender=self, dispatch_uid="cache_table")
