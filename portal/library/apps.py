from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "portal.library"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.library import work
        from portal.library.filters import EntryFilters
        from portal.library.models import Entry, EntryUse, Label, Variant
        from portal.library.search_hits import find_in_library
        from portal.library.services import AREA
        from portal.library.services.erasing import register_personal_data
        from portal.saved_views.lists import register_list
        from portal.tenants.leaving import keep

        work.register()
        register_personal_data()
        # People wrote them. Wordings are of the copy's questions, too: they go with it.
        keep(Entry, Variant, Label, EntryUse)
        register_list(
            "library", label="Library", url_name="library:list", filters=EntryFilters, area=AREA, find=find_in_library
        )
