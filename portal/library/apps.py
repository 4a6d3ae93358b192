from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "portal.library"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.library import work
        from portal.library.filters import EntryFilters
        from portal.library.models import Entry, EntryPair, EntryUse, Label, Variant
        from portal.library.search_hits import entry_titles, entry_url, find_in_library, find_library_tags
        from portal.library.services import AREA, LIBRARY_ENTRY
        from portal.library.services.erasure import register_personal_data
        from portal.saved_views.found import register_found, register_openable
        from portal.saved_views.lists import register_list
        from portal.tenants.leaving import keep

        work.register()
        register_personal_data()
        # People wrote them. Wordings are of the copy's questions, too: they go with it.
        keep(Entry, Variant, Label, EntryUse, EntryPair)
        register_list(
            "library",
            label="Library",
            url_name="library:list",
            filters=EntryFilters,
            area=AREA,
            find=find_in_library,
            searched=Entry,
        )
        # The words of an entry's tags are among its own.
        register_found("Library tags", icon="tags", find=find_library_tags, searched=Entry)
        register_openable(LIBRARY_ENTRY, label="library entry", titles=entry_titles, url=entry_url)
