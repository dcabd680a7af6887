"""Players in the admin: look-alikes told apart, names remembered, deletion as the player's own."""

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from cvarenta.accounts.names import TAKEN, NameRefused, name_key
from cvarenta.accounts.services import delete_player, is_taken, keep_past_name, refuse_name_of_another
from cvarenta.lists import BoundedPaginator, is_searchable, players_called
from cvarenta.models import PastName, Player

# Second factors and sessions are for their owners to manage.
admin.site.unregister([Authenticator, UserSession])

# The site's own door: limited guesses, the second factor, one page to log in.
admin.site.login = secure_admin_login(admin.site.login)
admin.site.site_title = admin.site.site_header = "Cvarenta de Qvito"
admin.site.index_title = "Mesa de revisión"
admin.site.enable_nav_sidebar = False


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
    list_filter = ("is_staff", "is_active")
    ordering = ("search_key",)
    search_fields = ("search_key",)
    search_help_text = "El nombre o su comienzo, con o sin tildes, o un correo entero"
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    readonly_fields = ("name_key",)
    fieldsets = (
        (None, {"fields": ("username", "name_key", "password", "email")}),
        ("Permisos", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Fechas", {"fields": ("last_login", "date_joined")}),
    )

    def get_search_results(self, request, players, text):
        """Those whose name begins so, or else has it somewhere; with an @, whose address it is."""
        text = text.strip()
        if not text:
            return players, False
        if not is_searchable(text):
            return players.none(), False
        if "@" in text:
            return players.filter(email__in=[text, text.lower()]), False
        return players_called(text, players), False

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
