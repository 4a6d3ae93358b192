from django.urls import path

from portal.deletion_requests import views

app_name = "deletion_requests"

urlpatterns = [
    path("", views.deletion_request_list, name="list"),
    path("find/", views.find, name="find"),
    path("new/", views.new, name="new"),
    path("submit/", views.submit, name="submit"),
    path("<str:reference>/", views.detail, name="detail"),
    path("<str:reference>/retry/", views.retry, name="retry"),
    path("<str:reference>/close/", views.close, name="close"),
]
