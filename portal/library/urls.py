from django.urls import path

from portal.library import views

app_name = "library"

urlpatterns = [
    path("", views.entry_list, name="list"),
    path("coverage/", views.coverage_page, name="coverage"),
    path("duplicates/", views.duplicates, name="duplicates"),
    path("duplicates/<int:pair_id>/merge/", views.merge, name="merge"),
    path("duplicates/<int:pair_id>/keep-both/", views.keep_both, name="keep_both"),
    path("knowledge-base/", views.knowledge_list, name="knowledge"),
    path("knowledge-base/export/", views.export_knowledge, name="export_knowledge"),
    path("knowledge-base/<id:platform_id>/", views.knowledge_page, name="knowledge_resource"),
    path("export/", views.export, name="export"),
    path("import/", views.import_file, name="import"),
    path("import/start/", views.start_import, name="start_import"),
    path("new/", views.new, name="new"),
    path("<int:entry_id>/", views.entry, name="entry"),
    path("<int:entry_id>/edit/", views.edit, name="edit"),
    path("<int:entry_id>/verify/", views.verify, name="verify"),
    path("<int:entry_id>/delete/", views.delete, name="delete"),
]
