from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "portal.library"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.library import work
        from portal.library.filters import EntryFilters, KnowledgeFilters
        from portal.library.kinds import KNOWLEDGE_RESOURCE
        from portal.library.models import COPIES, Entry, EntryPair, EntryUse, KnowledgeResource, Label, Variant
        from portal.library.search_hits import (
            entry_titles,
            entry_url,
            find_in_library,
            find_knowledge,
            find_library_tags,
            knowledge_titles,
            knowledge_url,
        )
        from portal.library.services import AREA, LIBRARY_ENTRY
        from portal.library.services.erasure import register_personal_data
        from portal.saved_views.found import register_found, register_openable
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge

        work.register()
        register_personal_data()
        # People wrote them. Wordings are of the copy's questions, too: they go with it.
        keep_after_purge(Entry, besides=COPIES)
        keep_after_purge(Variant, Label, EntryUse, EntryPair)
        register_list(
            "library",
            label="Library",
            url_name="library:list",
            filters=EntryFilters,
            area=AREA,
            find=find_in_library,
            searched=Entry,
        )
        register_list(
            "knowledge-base",
            label="Knowledge base",
            url_name="library:knowledge",
            filters=KnowledgeFilters,
            area=AREA,
            find=find_knowledge,
            searched=KnowledgeResource,
        )
        # The words of an entry's tags are among its own.
        register_found("Library tags", icon="tags", find=find_library_tags, searched=Entry)
        register_openable(LIBRARY_ENTRY, label="library entry", titles=entry_titles, url=entry_url)
        register_openable(KNOWLEDGE_RESOURCE, label="document", titles=knowledge_titles, url=knowledge_url)
