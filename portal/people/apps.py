from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "portal.people"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.audit.platform_actions import register_platform_actions
        from portal.people import filters, models, search_hits, work
        from portal.people.kinds import AREA, GROUP, PERSON
        from portal.people.services.erasure import register_personal_data
        from portal.saved_views.found import register_openable
        from portal.saved_views.lists import register_list

        work.register()
        register_personal_data()
        register_platform_actions("person.join_group", "person.leave_group", "group.create", "group.import")
        register_list(
            "people",
            label="People",
            url_name="people:list",
            filters=filters.PersonFilters,
            area=AREA,
            find=search_hits.find_people,
            searched=models.Person,
        )
        register_list(
            "groups",
            label="Groups",
            url_name="people:groups",
            filters=filters.GroupFilters,
            area=AREA,
            find=search_hits.find_groups,
            searched=models.Group,
        )
        register_openable(PERSON, label="person", titles=search_hits.person_titles, url=search_hits.person_url)
        register_openable(GROUP, label="group", titles=search_hits.group_titles, url=search_hits.group_url)
