"""The pages of the account: its home and what allauth does not have, or has otherwise."""

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView, EmailView, SignupView
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import content_disposition_header
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cvarenta.accounts.browsers import describe_browser
from cvarenta.accounts.forms import DeleteForm, RenameForm
from cvarenta.accounts.names import NameRefused
from cvarenta.accounts.services import delete_player, end_all_sessions, gather_data
from cvarenta.errors import too_many_requests

PAGE = ["GET", "HEAD", "POST"]


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    context = {
        "address": EmailAddress.objects.get_verified(request.user),
        "new_address": EmailAddress.objects.get_new(request.user),
        "has_app": Authenticator.objects.filter(user=request.user, type=Authenticator.Type.TOTP).exists(),
        "keys": Authenticator.objects.filter(user=request.user, type=Authenticator.Type.WEBAUTHN).count(),
    }
    return render(request, "account/home.html", context)


@require_http_methods(PAGE)
@login_required
def rename(request: HttpRequest) -> HttpResponse:
    form = RenameForm(request.POST or None, player=request.user)
    if form.is_valid() and form.save(request, at=timezone.now()):
        messages.success(request, f"Listo: ahora te llamas {request.user.username}.")
        return redirect("account_home")
    return render(request, "account/rename.html", {"form": form})


@require_safe
@login_required
def data(request: HttpRequest) -> HttpResponse:
    """What is kept about the player, as a file to keep."""
    look = {"ensure_ascii": False, "indent": 2}
    response = JsonResponse(gather_data(player=request.user), json_dumps_params=look)
    response["Content-Disposition"] = content_disposition_header(True, f"cvarenta-{request.user.username}.json")
    return response


@sensitive_post_parameters("password")
@require_http_methods(PAGE)
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        return too_many_requests(request)
    # Without a password the name is asked, which proves nothing: a key or an app comes first.
    if not request.user.has_usable_password() and get_adapter().get_reauthentication_methods(request.user):
        raise_if_reauthentication_required(request, app="allauth.account")
    form = DeleteForm(request.POST or None, player=request.user)
    if form.is_valid():
        delete_player(player=request.user, at=timezone.now())
        logout(request)
        return redirect("account_deleted")
    return render(request, "account/delete.html", {"form": form})


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    return render(request, "account/deleted.html")


@require_POST
@login_required
def leave_everywhere(request: HttpRequest) -> HttpResponse:
    end_all_sessions(player=request.user)
    logout(request)
    messages.success(request, "Saliste en todas partes, también aquí. Entra otra vez cuando quieras.")
    return redirect("account_login")


class SignUpView(SignupView):
    def form_valid(self, form):
        try:
            return super().form_valid(form)
        except NameRefused as refusal:
            form.add_error("username", str(refusal))
            form.mark_mistake()
            return self.form_invalid(form)


@method_decorator(login_required, name="dispatch")
class ConfirmEmail(ConfirmEmailView):
    """Only whose account it is may confirm its address: the mail alone does not do."""

    def post(self, *args, **kwargs):
        try:
            if self.get_object().email_address.user_id == self.request.user.pk:
                with transaction.atomic():
                    return super().post(*args, **kwargs)
        except (Http404, IntegrityError):  # a second click, or another account's in the same instant
            pass
        return self.get(*args, **kwargs)  # which says what is the matter

    def logout_other_user(self, confirmation):
        """Nobody is put out of their account by a link somebody sends them."""


class EmailPage(EmailView):
    def _action_send(self, request, *args, **kwargs):
        response = super()._action_send(request, *args, **kwargs)
        if not self._did_send_verification_email:
            messages.info(
                request, "Te lo enviamos hace un momento. Espera un minuto, y mira también en el correo no deseado."
            )
        return response


class Sessions(ListUserSessionsView):
    def get_context_data(self, **kwargs):
        if not UserSession.objects.filter(session_key=self.request.session.session_key).exists():
            UserSession.objects.create_from_request(self.request)  # begun before we kept a list
        context = super().get_context_data(**kwargs)
        for session in context["sessions"]:
            session.browser = describe_browser(session.user_agent)
        return context
