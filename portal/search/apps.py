from django.apps import AppConfig
from django.db.models.signals import post_migrate


class SearchConfig(AppConfig):
    name = "portal.search"

    def ready(self) -> None:
        from portal.search.index_creation import keep_indexes

        post_migrate.connect(keep_indexes, dispatch_uid="search_indexes")
