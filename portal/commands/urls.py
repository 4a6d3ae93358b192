from django.urls import path

from portal.commands import views

app_name = "commands"
urlpatterns = [path("", views.search, name="search"), path("opened/", views.opened, name="opened")]
