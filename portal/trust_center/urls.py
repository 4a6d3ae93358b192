from django.urls import path

from portal.trust_center import views

app_name = "trust_center"

urlpatterns = [
    path("", views.start, name="start"),
    path("resources/", views.resource_list, name="resources"),
    path("resources/<id:platform_id>/", views.resource_page, name="resource"),
    path("resources/<id:platform_id>/edit/", views.edit_resource, name="edit_resource"),
    path("resources/<id:platform_id>/renewal/", views.renew, name="renew"),
    path("resources/<id:platform_id>/download/", views.download, name="download"),
    path("faqs/", views.faq_list, name="faqs"),
    path("faqs/new/", views.new_faq, name="new_faq"),
    path("faqs/categories/", views.category_list, name="faq_categories"),
    path("faqs/categories/new/", views.add_category, name="add_category"),
    path("faqs/categories/<id:platform_id>/rename/", views.rename_category, name="rename_category"),
    path("faqs/categories/<id:platform_id>/delete/", views.delete_category, name="delete_category"),
    path("faqs/<id:platform_id>/", views.faq_page, name="faq"),
    path("faqs/<id:platform_id>/edit/", views.edit_faq, name="edit_faq"),
    path("faqs/<id:platform_id>/delete/", views.delete_faq, name="delete_faq"),
    path("controls/", views.control_list, name="controls"),
    path("controls/add/", views.add_control_list, name="add_control"),
    path("controls/add/<id:platform_id>/", views.show_control, name="show_control"),
    path("controls/categories/", views.control_category_list, name="control_categories"),
    path("controls/categories/new/", views.add_control_category, name="add_control_category"),
    path("controls/categories/<id:platform_id>/rename/", views.rename_control_category, name="rename_control_category"),
    path("controls/categories/<id:platform_id>/move/", views.move_control_category, name="move_control_category"),
    path("controls/categories/<id:platform_id>/delete/", views.delete_control_category, name="delete_control_category"),
    path("controls/<id:platform_id>/", views.control_page, name="control"),
    path("controls/<id:platform_id>/categories/", views.place_control, name="place_control"),
    path("controls/<id:platform_id>/remove/", views.hide_control, name="hide_control"),
    path("subprocessors/", views.subprocessor_list, name="subprocessors"),
    path("frameworks/", views.framework_list, name="frameworks"),
]
