from django.urls import path

from portal.contracts import views

app_name = "contracts"

urlpatterns = [
    path("", views.contract_list, name="list"),
    path("upload/", views.upload, name="upload"),
    path("queue/", views.queue, name="queue"),
    path("queue/discard/", views.discard_waiting, name="discard_waiting"),
    path("uploads/<int:upload_id>/decide/", views.decide, name="decide"),
    path("uploads/<int:upload_id>/send-again/", views.send_again, name="send_again"),
    path("uploads/<int:upload_id>/discard/", views.discard, name="discard"),
    path("export/", views.export, name="export"),
    path("import/", views.import_file, name="import"),
    path("import/start/", views.start_import, name="start_import"),
    path("calendar/", views.calendar, name="calendar"),
    path("calendar/feed/", views.own_feed, name="own_feed"),
    path("<id:platform_id>/", views.contract, name="detail"),
    path("<id:platform_id>/customer/", views.set_customer, name="set_customer"),
    path("<id:platform_id>/fields/", views.edit_terms, name="edit_terms"),
    path("<id:platform_id>/text/", views.text, name="text"),
    path("<id:platform_id>/text/remove/", views.remove_text, name="remove_text"),
    path("<id:platform_id>/document/", views.hand_in, name="hand_in"),
    path("<id:platform_id>/delete/", views.delete, name="delete"),
]

feed_urlpatterns = [path("calendar/contracts/<str:token>.ics", views.contract_calendar, name="contract_calendar")]
"""Open to whoever has the address: calendar programs do not sign in."""
