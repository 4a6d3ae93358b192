"""Every address of the site."""

from django.http import Http404
from django.urls import include, path, re_path
from django.views.defaults import page_not_found

from portal.celery import app as celery_app
from portal.commands.views import search_everywhere
from portal.connections.urls import callback_urlpatterns
from portal.contracts.urls import feed_urlpatterns as contract_feed_urlpatterns
from portal.deletion_requests.urls import link_urlpatterns as erasure_urlpatterns
from portal.first_hour.views import home
from portal.help.views import portfolio as portfolio_help
from portal.inbox.urls import hook_urlpatterns
from portal.members.urls import link_urlpatterns as invitation_urlpatterns
from portal.members.views import create, create_tenants, import_tenants
from portal.notifications.urls import settings_urlpatterns as notification_urlpatterns
from portal.page_refresh.views import told_tenants
from portal.questionnaires.urls import link_urlpatterns, rules_urlpatterns
from portal.single_sign_on.urls import sign_in_urlpatterns
from portal.slack.urls import interaction_urlpatterns
from portal.today import health, portfolio_views
from portal.today.urls import told_urlpatterns
from portal.users.views import end_session, profile, set_password, signed_in

__all__ = ["celery_app"]

handler500 = "portal.lib.outages.server_error"

urlpatterns = [
    *hook_urlpatterns,  # the ones that are asked for most often
    path("", home, name="home"),
    path("search/", search_everywhere, name="search_everywhere"),
    path("portfolio/", portfolio_views.portfolio, name="portfolio"),
    path("portfolio/help/", portfolio_help, name="portfolio_help"),
    path("portfolio/views/", portfolio_views.save_view, name="portfolio_save_view"),
    path("portfolio/views/<int:view_id>/delete/", portfolio_views.delete_view, name="portfolio_delete_view"),
    path("portfolio/undo/", portfolio_views.undo_decisions_everywhere, name="portfolio_undo"),
    path("notifications/", include((told_urlpatterns, "told"))),
    path("accounts/profile/", profile, name="profile"),
    path("accounts/signed-in/", signed_in, name="signed_in"),
    path("accounts/sessions/<int:session_id>/end/", end_session, name="end_session"),
    path("accounts/password/set/", set_password, name="account_set_password"),
    *sign_in_urlpatterns,
    # allauth's pages of accounts elsewhere: nobody links or unlinks one by hand.
    re_path(r"^accounts/(?:3rdparty|social)/", page_not_found, {"exception": Http404()}),
    path("accounts/", include("allauth.urls")),
    path("tenants/new/", create, name="create_tenant"),
    path("tenants/import/", import_tenants, name="import_tenants"),
    path("tenants/import/create/", create_tenants, name="create_tenants"),
    *callback_urlpatterns,
    *link_urlpatterns,
    *erasure_urlpatterns,
    *invitation_urlpatterns,
    *contract_feed_urlpatterns,
    *interaction_urlpatterns,
    path("t/<slug:slug>/", include("portal.today.urls")),
    path("t/<slug:slug>/help/", include("portal.help.urls")),
    path("t/<slug:slug>/search/", include("portal.commands.urls")),
    path("t/<slug:slug>/first-hour/", include("portal.first_hour.urls")),
    path("t/<slug:slug>/views/", include("portal.saved_views.urls")),
    path("t/<slug:slug>/comments/", include("portal.comments.urls")),
    path("t/<slug:slug>/notifications/", include("portal.notifications.urls")),
    path("t/<slug:slug>/questionnaires/", include("portal.questionnaires.urls")),
    path("t/<slug:slug>/access-requests/", include("portal.access_requests.urls")),
    path("t/<slug:slug>/trust-center/", include("portal.trust_center.urls")),
    path("t/<slug:slug>/trust-center-activity/", include("portal.trust_center_activity.urls")),
    path("t/<slug:slug>/contracts/", include("portal.contracts.urls")),
    path("t/<slug:slug>/library/", include("portal.library.urls")),
    path("t/<slug:slug>/commitments/", include("portal.commitments.urls")),
    path("t/<slug:slug>/incidents/", include("portal.incidents.urls")),
    path("t/<slug:slug>/customers/", include("portal.customers.urls")),
    path("t/<slug:slug>/deletion-requests/", include("portal.deletion_requests.urls")),
    path("t/<slug:slug>/tags/", include("portal.tags.urls")),
    path("t/<slug:slug>/people/", include("portal.people.urls")),
    path("t/<slug:slug>/documents/", include("portal.documents.urls")),
    path("t/<slug:slug>/vendors/", include("portal.vendors.urls")),
    path("t/<slug:slug>/audits/", include("portal.engagements.urls")),
    path("t/<slug:slug>/", include("portal.risks.urls")),
    path("t/<slug:slug>/", include("portal.controls.urls")),
    path("t/<slug:slug>/settings/", include("portal.tenant_settings.urls")),
    path("t/<slug:slug>/settings/connection/", include("portal.connections.urls")),
    path("t/<slug:slug>/settings/webhooks/", include("portal.inbox.urls")),
    path("t/<slug:slug>/settings/members/", include("portal.members.urls")),
    path("t/<slug:slug>/settings/questionnaires/", include((rules_urlpatterns, "questionnaire_rules"))),
    path("t/<slug:slug>/settings/single-sign-on/", include("portal.single_sign_on.urls")),
    path("t/<slug:slug>/settings/event-log/", include("portal.event_log.urls")),
    path("t/<slug:slug>/settings/notifications/", include((notification_urlpatterns, "notification_settings"))),
    path("t/<slug:slug>/settings/language-model/", include("portal.language_model.urls")),
    path("t/<slug:slug>/settings/hours/", include("portal.calendars.urls")),
    path("styleguide/", include("portal.ui.urls")),
    path("changes/", told_tenants, name="changes"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
