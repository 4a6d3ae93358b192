from django.urls import path

from portal.people import views

app_name = "people"

urlpatterns = [
    path("", views.person_list, name="list"),
    path("export/", views.export, name="export"),
    path("change/", views.start_change, name="start_change"),
    path("changes/<int:run_id>/", views.run, name="run"),
    path("changes/<int:run_id>/retry/", views.retry, name="retry"),
    path("groups/", views.group_list, name="groups"),
    path("groups/export/", views.export_groups, name="export_groups"),
    path("groups/new/", views.new_group, name="new_group"),
    path("groups/import/", views.import_groups, name="import_groups"),
    path("groups/<id:platform_id>/", views.group_page, name="group"),
    path("<id:platform_id>/", views.person_page, name="person"),
]
