from django.urls import path

from portal.controls import views

app_name = "controls"

urlpatterns = [
    path("controls/", views.control_list, name="list"),
    path("controls/export/", views.export, name="export"),
    path("controls/<id:platform_id>/", views.control_page, name="control"),
    path("controls/<id:platform_id>/asked/", views.asked, name="asked"),
    path("frameworks/", views.framework_list, name="frameworks"),
    path("frameworks/export/", views.export_frameworks, name="export_frameworks"),
    path("frameworks/<id:platform_id>/", views.framework_page, name="framework"),
    path("tests/", views.test_list, name="tests"),
    path("tests/export/", views.export_tests, name="export_tests"),
    path("tests/<id:platform_id>/", views.test_page, name="test"),
]
