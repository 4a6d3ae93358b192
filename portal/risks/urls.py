from django.urls import path

from portal.risks import views

app_name = "risks"

urlpatterns = [
    path("issues/", views.issue_list, name="issues"),
    path("issues/export/", views.export_issues, name="export_issues"),
    path("issues/<id:platform_id>/", views.issue_page, name="issue"),
    path("risk-scenarios/", views.scenario_list, name="scenarios"),
    path("risk-scenarios/export/", views.export_scenarios, name="export_scenarios"),
    path("risk-scenarios/<id:platform_id>/", views.scenario_page, name="scenario"),
    path("risk-scenarios/<id:platform_id>/controls/", views.choose_control, name="choose_control"),
    path("risk-scenarios/<id:platform_id>/controls/<id:control_id>/add/", views.add_control, name="add_control"),
    path("risk-scenarios/<id:platform_id>/controls/<id:control_id>/type/", views.change_type, name="change_type"),
    path("risk-scenarios/<id:platform_id>/controls/<id:control_id>/remove/", views.remove_control, name="remove_control"),
]
