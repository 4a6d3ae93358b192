from django.urls import path

from portal.customers import views

app_name = "customers"

urlpatterns = [
    path("", views.customer_list, name="list"),
    path("export/", views.export, name="export"),
    path("import/", views.import_file, name="import"),
    path("import/start/", views.start_import, name="start_import"),
    path("import/<int:run_id>/", views.import_run, name="import_run"),
    path("import/<int:run_id>/retry/", views.retry_import, name="retry_import"),
    path("new/", views.new, name="new"),
    path("new/<int:creation_id>/put-away/", views.put_away, name="put_away"),
    path("people/", views.suggestion_list, name="suggestions"),
    path("people/attach/", views.attach, name="attach"),
    path("people/dismiss/", views.dismiss, name="dismiss"),
    path("people/bring-back/", views.bring_back, name="bring_back"),
    path("<str:platform_id>/", views.customer, name="customer"),
    path("<str:platform_id>/edit/", views.edit, name="edit"),
    path("<str:platform_id>/delete/", views.delete, name="delete"),
]
