from django.urls import path

from portal.questionnaires import views

app_name = "questionnaires"

urlpatterns = [
    path("", views.questionnaire_list, name="list"),
    path("bulk/", views.start_bulk, name="start_bulk"),
    path("bulk/<int:run_id>/", views.bulk_run, name="bulk_run"),
    path("bulk/<int:run_id>/retry/", views.retry_bulk, name="retry_bulk"),
    path("clocks/", views.clocks, name="clocks"),
    path("clocks/feed/", views.own_feed, name="own_feed"),
    path("targets/", views.targets, name="targets"),
    path("targets/add/", views.add_target, name="add_target"),
    path("targets/warning/", views.set_warning, name="set_warning"),
    path("targets/<int:target_id>/", views.change_target, name="change_target"),
    path("targets/<int:target_id>/delete/", views.delete_target, name="delete_target"),
    path("drift/", views.drift, name="drift"),
    path("drift/<int:drift_id>/", views.settle_drift, name="settle_drift"),
    path("export/", views.export, name="export"),
    path("new/", views.new, name="new"),
    path("intakes/<int:intake_id>/", views.intake, name="intake"),
    path("intakes/<int:intake_id>/send/", views.send_intake, name="send_intake"),
    path("intakes/<int:intake_id>/discard/", views.discard_intake, name="discard_intake"),
    path("views/", views.saved_views, name="saved_views"),
    path("views/<int:view_id>/", views.rename_view, name="rename_view"),
    path("views/<int:view_id>/delete/", views.delete_view, name="delete_view"),
    path("<str:platform_id>/", views.questionnaire, name="questionnaire"),
    path("<str:platform_id>/activity/", views.activity, name="activity"),
    path("<str:platform_id>/details/", views.details, name="details"),
    path("<str:platform_id>/exports/", views.exports, name="exports"),
    path("<str:platform_id>/exports/request/", views.request_export, name="request_export"),
    path("<str:platform_id>/exports/<int:export_id>/download/", views.download_export, name="download_export"),
    path("<str:platform_id>/review/", views.review, name="review"),
    path("<str:platform_id>/review/<str:response_id>/", views.review_card, name="review_card"),
    path("<str:platform_id>/review/<str:response_id>/undo/", views.undo_review, name="undo_review"),
    path("<str:platform_id>/approve-unchanged/", views.approve_unchanged, name="approve_unchanged"),
    path("<str:platform_id>/status/", views.set_status, name="status"),
    path("<str:platform_id>/take/", views.take, name="take"),
    path("<str:platform_id>/owner/", views.assign, name="assign"),
    path("<str:platform_id>/due/", views.set_due, name="due"),
    path("<str:platform_id>/priority/", views.set_priority, name="priority"),
    path("<str:platform_id>/approve/", views.approve, name="approve"),
    path("<str:platform_id>/status-link/", views.status_link, name="status_link"),
    path("<str:platform_id>/complete/", views.complete, name="complete"),
    path("<str:platform_id>/ask/", views.ask, name="ask"),
    path("<str:platform_id>/responses/<str:response_id>/", views.response, name="response"),
    path("<str:platform_id>/responses/<str:response_id>/draft/", views.draft, name="draft"),
    path("<str:platform_id>/responses/<str:response_id>/memory/", views.memory, name="memory"),
    path("<str:platform_id>/responses/<str:response_id>/nudge/", views.nudge, name="nudge"),
    path("<str:platform_id>/responses/<str:response_id>/experts/<int:link_id>/", views.expert_link, name="expert_link"),
    path("<str:platform_id>/responses/<str:response_id>/library/", views.library, name="library"),
]
# Outside of any tenant: whoever has the link reads it, or answers.
link_urlpatterns = [
    path("status/<str:token>/", views.status, name="status"),
    path("answer/<str:token>/", views.expert, name="expert"),
    path("calendar/<str:token>.ics", views.calendar_feed, name="calendar_feed"),
]
# Among the settings of a tenant, with a name of their own in the navigation.
rules_urlpatterns = [path("", views.rules, name="rules")]
