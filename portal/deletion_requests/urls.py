from django.urls import path

from portal.deletion_requests import views

app_name = "deletion_requests"

urlpatterns = [
    path("", views.deletion_request_list, name="list"),
    path("export/", views.export, name="export"),
    path("find/", views.find, name="find"),
    path("receive/", views.receive, name="receive"),
    path("file/", views.read_file, name="read_file"),
    path("file/receive/", views.receive_file, name="receive_file"),
    path("settings/", views.desk, name="desk"),
    path("settings/set/", views.set_desk, name="set_desk"),
    path("settings/link/", views.intake_link, name="intake_link"),
    path("new/", views.new, name="new"),
    path("submit/", views.submit, name="submit"),
    path("<str:reference>/", views.detail, name="detail"),
    path("<str:reference>/certificate.pdf", views.certificate_file, name="certificate_file"),
    path("<str:reference>/review/", views.review, name="review"),
    path("<str:reference>/identity/", views.note_identity, name="note_identity"),
    path("<str:reference>/send/", views.send, name="send"),
    path("<str:reference>/retry/", views.retry, name="retry"),
    path("<str:reference>/close/", views.close, name="close"),
]
# Outside of any tenant: whoever has the link can ask to be erased.
link_urlpatterns = [path("erasure/<str:token>/", views.ask_for_erasure, name="ask_for_erasure")]
