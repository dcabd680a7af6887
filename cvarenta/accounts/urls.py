"""Addresses under /cuenta/: ours first, then allauth's."""

from django.urls import include, path

from cvarenta.accounts import views

urlpatterns = [
    path("", views.home, name="account_home"),
    path("nombre/", views.rename, name="account_rename"),
    path("datos/", views.data, name="account_data"),
    path("borrar/", views.delete, name="account_delete"),
    path("borrada/", views.deleted, name="account_deleted"),
    path("salir-en-todas-partes/", views.leave_everywhere, name="account_leave_everywhere"),
    # In the place of allauth's, under the same names.
    path("signup/", views.SignUpView.as_view(), name="account_signup"),
    path("email/", views.EmailPage.as_view(), name="account_email"),
    path("confirm-email/<str:key>/", views.ConfirmEmail.as_view(), name="account_confirm_email"),
    path("sessions/", views.Sessions.as_view(), name="usersessions_list"),
    path("", include("allauth.urls")),
]
