"""Players in the admin: look-alikes told apart, names remembered, deletion as the player's own."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from cvarenta.accounts.names import TAKEN, NameRefused, name_key
from cvarenta.accounts.services import delete_player, is_taken, keep_past_name, refuse_name_of_another
from cvarenta.models import PastName, Player

# The site's own door: limited guesses, the second factor, one page to log in.
admin.site.login = secure_admin_login(admin.site.login)


class FreeNameMixin:
    """The house's names are staff's to give; another person's are not."""

    def clean_username(self):
        name = self.cleaned_data["username"]
        if is_taken(name_key(name), player=self.instance):
            raise ValidationError(TAKEN)
        return name


class NewPlayerForm(FreeNameMixin, AdminUserCreationForm):
    pass


class PlayerForm(FreeNameMixin, UserChangeForm):
    pass


@admin.register(Player)
class PlayerAdmin(UserAdmin):
    form = PlayerForm
    add_form = NewPlayerForm
    list_display = ("username", "name_key", "email", "date_joined", "is_active", "is_staff")
    search_fields = ("username", "name_key", "email")
    readonly_fields = ("name_key",)
    fieldsets = (
        (None, {"fields": ("username", "name_key", "password", "email")}),
        ("Permisos", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Fechas", {"fields": ("last_login", "date_joined")}),
    )

    def changeform_view(self, *args, **kwargs):
        try:
            return super().changeform_view(*args, **kwargs)
        except (NameRefused, IntegrityError):  # someone took the name since the form looked: it looks again and says so
            return super().changeform_view(*args, **kwargs)

    @transaction.atomic
    def save_model(self, request, player, form, change):
        super().save_model(request, player, form, change)
        refuse_name_of_another(player=player)
        if change and "username" in form.changed_data:
            keep_past_name(player=player, key=name_key(form.initial["username"]), at=timezone.now())

    def delete_model(self, request, player):
        delete_player(player=player, at=timezone.now())

    def delete_queryset(self, request, queryset):
        for player in queryset:
            delete_player(player=player, at=timezone.now())


@admin.register(PastName)
class PastNameAdmin(admin.ModelAdmin):
    list_display = ("key", "player", "since")
    list_select_related = ("player",)
    search_fields = ("key",)

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, past_name=None):
        return False

    def has_delete_permission(self, request, past_name=None):
        return False
