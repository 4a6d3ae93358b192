from django.urls import path

from portal.engagements import views
from portal.engagements.models import EngagementControl, EvidenceItem, InformationRequest

app_name = "engagements"
ON_REQUEST, ON_EVIDENCE, ON_CONTROL = ({"model": each} for each in (InformationRequest, EvidenceItem, EngagementControl))
REQUEST = "<id:audit_id>/requests/<id:object_id>/"
EVIDENCE = "<id:audit_id>/evidence/<id:object_id>/"
CONTROL = "<id:audit_id>/controls/<id:object_id>/"

urlpatterns = [
    path("", views.audit_list, name="list"),
    path("export/", views.export, name="export"),
    path("<id:audit_id>/", views.requests_page, name="requests"),
    path("<id:audit_id>/evidence/", views.evidence_page, name="evidence"),
    path("<id:audit_id>/controls/", views.controls_page, name="controls"),
    path("<id:audit_id>/organization/", views.organization_page, name="organization"),
    path("<id:audit_id>/duplicate/", views.duplicate, name="duplicate"),
    path("<id:audit_id>/share/", views.share_requests, name="share_requests"),
    path("<id:audit_id>/new-request/", views.new_request, name="new_request"),
    path("<id:audit_id>/request-evidence/", views.request_evidence, name="request_evidence"),
    path("<id:audit_id>/new-control/", views.new_control, name="new_control"),
    path(REQUEST, views.request_page, name="request"),
    path(f"{REQUEST}accept/", views.accept_request, name="accept_request"),
    path(f"{REQUEST}flag/", views.flag_request, name="flag_request"),
    path(f"{REQUEST}delete/", views.delete_request, name="delete_request"),
    path(f"{REQUEST}files/<id:part_id>/", views.request_file, name="request_file"),
    path(f"{REQUEST}comments/", views.add_comment, ON_REQUEST, name="comment_request"),
    path(f"{REQUEST}comments/<id:part_id>/", views.change_comment, ON_REQUEST, name="change_request_comment"),
    path(f"{REQUEST}comments/<id:part_id>/delete/", views.delete_comment, ON_REQUEST, name="delete_request_comment"),
    path(EVIDENCE, views.evidence_item_page, name="evidence_item"),
    path(f"{EVIDENCE}status/", views.move_evidence, name="move_evidence"),
    path(f"{EVIDENCE}files/<id:part_id>/", views.evidence_file, name="evidence_file"),
    path(f"{EVIDENCE}comments/", views.add_comment, ON_EVIDENCE, name="comment_evidence"),
    path(CONTROL, views.control_page, name="control"),
    path(f"{CONTROL}assess/", views.assess_control, name="assess_control"),
    path(f"{CONTROL}comments/", views.add_comment, ON_CONTROL, name="comment_control"),
    path(f"{CONTROL}comments/<id:part_id>/", views.change_comment, ON_CONTROL, name="change_control_comment"),
    path(f"{CONTROL}comments/<id:part_id>/delete/", views.delete_comment, ON_CONTROL, name="delete_control_comment"),
]
