from django.urls import path

from portal.tags import views

app_name = "tags"

urlpatterns = [
    path("", views.matrix, name="matrix"),
    path("export/", views.export, name="export"),
    path("switch/", views.switch, name="switch"),
]
