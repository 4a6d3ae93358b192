from django.urls import URLPattern

app_name = "commitments"

urlpatterns: list[URLPattern] = []
