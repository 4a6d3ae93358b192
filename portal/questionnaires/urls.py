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
    path("drift/<int:drift_id>/", views.drift_question, name="drift_question"),
    path("drift/<int:drift_id>/resolve/", views.resolve_drift, name="resolve_drift"),
    path("drift/corrections/<int:correction_id>/", views.correct, name="correct"),
    path("export/", views.export, name="export"),
    path("numbers/", views.numbers, name="numbers"),
    path("new/", views.new, name="new"),
    path("intakes/<int:intake_id>/", views.intake, name="intake"),
    path("intakes/<int:intake_id>/send/", views.send_intake, name="send_intake"),
    path("intakes/<int:intake_id>/discard/", views.discard_intake, name="discard_intake"),
    path("<id:platform_id>/", views.questionnaire, name="questionnaire"),
    path("<id:platform_id>/activity/", views.activity, name="activity"),
    path("<id:platform_id>/details/", views.details, name="details"),
    path("<id:platform_id>/exports/", views.exports, name="exports"),
    path("<id:platform_id>/exports/request/", views.request_export, name="request_export"),
    path("<id:platform_id>/exports/<int:export_id>/download/", views.download_export, name="download_export"),
    path("<id:platform_id>/review/", views.review, name="review"),
    path("<id:platform_id>/review/<id:response_id>/", views.review_card, name="review_card"),
    path("<id:platform_id>/review/<id:response_id>/undo/", views.undo_review, name="undo_review"),
    path("<id:platform_id>/approve-unchanged/", views.approve_unchanged, name="approve_unchanged"),
    path("<id:platform_id>/drafts/", views.draft_all, name="draft_all"),
    path("<id:platform_id>/drafts/save/", views.save_drafts, name="save_drafts"),
    path("<id:platform_id>/drafts/<int:run_id>/", views.drafting_run, name="drafting_run"),
    path("<id:platform_id>/drafts/<int:run_id>/stop/", views.stop_drafting, name="stop_drafting"),
    path("<id:platform_id>/status/", views.set_status, name="status"),
    path("<id:platform_id>/take/", views.take, name="take"),
    path("<id:platform_id>/owner/", views.assign, name="assign"),
    path("<id:platform_id>/approver/", views.name_approver, name="name_approver"),
    path("<id:platform_id>/due/", views.set_due, name="due"),
    path("<id:platform_id>/priority/", views.set_priority, name="priority"),
    path("<id:platform_id>/approve/", views.approve, name="approve"),
    path("<id:platform_id>/status-link/", views.status_link, name="status_link"),
    path("<id:platform_id>/complete/", views.complete, name="complete"),
    path("<id:platform_id>/ask/", views.ask, name="ask"),
    path("<id:platform_id>/responses/<id:response_id>/", views.response, name="response"),
    path("<id:platform_id>/responses/<id:response_id>/draft/", views.draft, name="draft"),
    path("<id:platform_id>/responses/<id:response_id>/dismiss-draft/", views.dismiss_draft, name="dismiss_draft"),
    path("<id:platform_id>/responses/<id:response_id>/memory/", views.memory, name="memory"),
    path("<id:platform_id>/responses/<id:response_id>/nudge/", views.nudge, name="nudge"),
    path("<id:platform_id>/responses/<id:response_id>/experts/<int:link_id>/", views.expert_link, name="expert_link"),
    path(
        "<id:platform_id>/responses/<id:response_id>/experts/<int:link_id>/files/<int:file_id>/",
        views.expert_file,
        name="expert_file",
    ),
    path("<id:platform_id>/responses/<id:response_id>/keep/", views.keep_in_library, name="keep"),
]
# Outside of any tenant: whoever has the link reads it, or answers.
link_urlpatterns = [
    path("status/<str:token>/", views.status, name="status"),
    path("answer/<str:token>/", views.expert, name="expert"),
    path("answer/all/<str:token>/", views.expert_list, name="expert_list"),
    path("calendar/<str:token>.ics", views.calendar_feed, name="calendar_feed"),
]
# Among the settings of a tenant, with a name of their own in the navigation.
rules_urlpatterns = [path("", views.rules, name="rules")]
