from django.urls import path

from portal.saved_views import views

app_name = "saved_views"
urlpatterns = [
    path("", views.views, name="list"),
    path("of/<slug:key>/", views.save_view, name="save"),
    path("<int:view_id>/", views.rename_view, name="rename"),
    path("<int:view_id>/delete/", views.delete_view, name="delete"),
]
