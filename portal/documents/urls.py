from django.urls import path

from portal.documents import views

app_name = "documents"

urlpatterns = [
    path("", views.document_list, name="list"),
    path("export/", views.export, name="export"),
    path("<id:platform_id>/", views.document_page, name="document"),
    path("<id:platform_id>/upload/", views.upload, name="upload"),
    path("<id:platform_id>/uploads/<int:key>/dismiss/", views.dismiss_upload, name="dismiss_upload"),
    path("<id:platform_id>/files/<int:key>/download/", views.download, name="download"),
    path("<id:platform_id>/files/<int:key>/delete/", views.delete_file, name="delete_file"),
    path("<id:platform_id>/links/new/", views.new_link, name="new_link"),
    path("<id:platform_id>/links/<int:key>/remove/", views.remove_link, name="remove_link"),
]
