from django.apps import AppConfig


class CommentsConfig(AppConfig):
    name = "portal.comments"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.comments import personal_data, work
        from portal.comments.models import Comment, Mention
        from portal.comments.search_hits import find_comments
        from portal.saved_views.found import register_found
        from portal.tenants.offboarding import keep_after_purge

        work.register()
        personal_data.register()
        # People wrote them; they are no copy of anything on the platform.
        keep_after_purge(Comment, Mention)
        register_found("Comments", icon="message-square", find=find_comments, searched=Comment)
