from django.urls import path

from portal.trust_documents import views

app_name = "trust_documents"

urlpatterns = [
    path("", views.matrix, name="matrix"),
    path("switch/", views.switch, name="switch"),
]
