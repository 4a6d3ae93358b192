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
    path("new/<int:creation_id>/put-away/", views.dismiss_creation, name="dismiss_creation"),
    path("people/", views.suggestion_list, name="suggestions"),
    path("people/attach/", views.attach, name="attach"),
    path("people/dismiss/", views.dismiss, name="dismiss"),
    path("people/bring-back/", views.bring_back, name="bring_back"),
    path("duplicates/", views.duplicate_list, name="duplicates"),
    path("duplicates/dismiss/", views.dismiss_duplicates, name="dismiss_duplicates"),
    path("duplicates/bring-back/", views.bring_back_duplicates, name="bring_back_duplicates"),
    path("<id:platform_id>/", views.customer_page, name="customer"),
    path("<id:platform_id>/edit/", views.edit, name="edit"),
    path("<id:platform_id>/delete/", views.delete, name="delete"),
    path("<id:platform_id>/merge/", views.merge, name="merge"),
    path("<id:platform_id>/take-apart/", views.take_apart, name="take_apart"),
    path("<id:platform_id>/make-main/", views.make_main, name="make_main"),
]
