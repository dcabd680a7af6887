"""Players in the admin."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from cvarenta.models import Player


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    list_display = ("username", "email", "date_joined", "is_active", "is_staff")
    search_fields = ("username", "email")
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        ("Permisos", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Fechas", {"fields": ("last_login", "date_joined")}),
    )
