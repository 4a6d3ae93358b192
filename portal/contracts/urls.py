from django.urls import path

from portal.contracts import views

app_name = "contracts"

urlpatterns = [
    path("", views.contract_list, name="list"),
    path("upload/", views.upload, name="upload"),
    path("uploads/<int:upload_id>/send-again/", views.send_again, name="send_again"),
    path("uploads/<int:upload_id>/discard/", views.discard, name="discard"),
    path("<str:platform_id>/", views.contract, name="detail"),
]
