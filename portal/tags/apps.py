from django.apps import AppConfig


class TagsConfig(AppConfig):
    name = "portal.tags"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.tags import register_tag_names
        from portal.audit.platform_actions import register_platform_actions
        from portal.saved_views.lists import register_list
        from portal.tags import (
            signals,  # noqa: F401 - connects its receivers
            work,
        )
        from portal.tags.filters import MatrixFilters
        from portal.tags.models import Category
        from portal.tags.search_hits import find_tags
        from portal.tags.tag_names import TAG_NAMES

        work.register()
        register_platform_actions("tag_category.on", "tag_category.off")
        register_tag_names(TAG_NAMES)
        register_list(
            "tags",
            label="Tags",
            url_name="tags:matrix",
            filters=MatrixFilters,
            area="tags",
            find=find_tags,
            searched=Category,
        )
