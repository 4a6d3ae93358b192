from django.urls import path

from portal.access_requests import views

app_name = "access_requests"

urlpatterns = [
    path("", views.access_request_list, name="list"),
    path("viewers/", views.viewer_list, name="viewers"),
    path("<str:platform_id>/", views.access_request, name="detail"),
    path("<str:platform_id>/approve/", views.approve, name="approve"),
    path("<str:platform_id>/deny/", views.deny, name="deny"),
]
