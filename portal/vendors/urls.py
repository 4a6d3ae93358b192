from django.urls import path

from portal.vendors import views

app_name = "vendors"

urlpatterns = [
    path("", views.vendor_list, name="list"),
    path("export/", views.export, name="export"),
    path("<id:platform_id>/", views.vendor_page, name="vendor"),
    path("<id:platform_id>/status/", views.set_status, name="set_status"),
    path("<id:platform_id>/findings/new/", views.new_finding, name="new_finding"),
    path("<id:platform_id>/findings/<id:finding_id>/", views.edit_finding, name="edit_finding"),
]
