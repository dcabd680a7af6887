"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("admin/", admin.site.urls),
    path("cuenta/", include("cvarenta.accounts.urls")),
    path("privacidad/", TemplateView.as_view(template_name="privacy.html"), name="privacy"),
    path("", include("tournament.urls")),
    path("", include("campaign.urls")),
]

handler400 = "cvarenta.errors.bad_request"
handler403 = "cvarenta.errors.permission_denied"
handler404 = "cvarenta.errors.page_not_found"
handler429 = "cvarenta.errors.too_many_requests"
handler500 = "cvarenta.errors.server_error"
