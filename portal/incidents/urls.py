from django.urls import path

from portal.incidents import views

app_name = "incidents"

urlpatterns = [
    path("", views.incident_list, name="list"),
    path("export/", views.export, name="export"),
    path("new/", views.new, name="new"),
    path("templates/", views.template_list, name="templates"),
    path("templates/new/", views.new_template, name="new_template"),
    path("templates/<int:template_id>/", views.edit_template, name="template"),
    path("templates/<int:template_id>/delete/", views.delete_template, name="delete_template"),
    path("<int:incident_id>/", views.plan, name="plan"),
    path("<int:incident_id>/edit/", views.edit, name="edit"),
    path("<int:incident_id>/close/", views.close, name="close"),
    path("<int:incident_id>/reopen/", views.reopen, name="reopen"),
    path("<int:incident_id>/replan/", views.replan, name="replan"),
    path("<int:incident_id>/tell/", views.tell_several, name="tell_several"),
    path("<int:incident_id>/log/", views.log, name="log"),
    path("<int:incident_id>/log/remark/", views.remark, name="remark"),
    path("<int:incident_id>/log/export/", views.export_log, name="export_log"),
    path("<int:incident_id>/export/", views.export_plan, name="export_plan"),
    path("<int:incident_id>/print/", views.printed, name="print"),
    path("<int:incident_id>/plan.pdf", views.plan_file, name="plan_file"),
    path("<int:incident_id>/notices/<int:notice_id>/", views.notice, name="notice"),
    path("<int:incident_id>/notices/<int:notice_id>/draft/", views.save_draft, name="save_draft"),
    path("<int:incident_id>/notices/<int:notice_id>/tell/", views.tell_one, name="tell"),
    path("<int:incident_id>/notices/<int:notice_id>/spare/", views.spare, name="spare"),
    path("<int:incident_id>/notices/<int:notice_id>/revert/", views.revert, name="revert"),
]
