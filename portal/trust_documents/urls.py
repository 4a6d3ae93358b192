from django.urls import URLPattern

app_name = "trust_documents"

urlpatterns: list[URLPattern] = []
