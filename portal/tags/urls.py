from django.urls import path

from portal.tags import views

app_name = "tags"

urlpatterns = [
    path("", views.matrix, name="matrix"),
    path("switch/", views.switch, name="switch"),
]
