"""Pages of the account are nobody else's to see, and an account that is deleted is gone for every request at work."""

import logging

from django.contrib.auth import get_user_model, logout
from django.utils.cache import add_never_cache_headers

from cvarenta.errors import log_in_first

logger = logging.getLogger(__name__)

PREFIX = "/cuenta/"


def never_cache_accounts(get_response):
    def middleware(request):
        response = get_response(request)
        if request.path_info.startswith(PREFIX):
            add_never_cache_headers(response)
        return response

    return middleware


def leave_with_the_account(get_response):
    """Whatever goes wrong because the account was deleted at the same moment: there is nobody to go on as."""

    def middleware(request):
        return get_response(request)

    def process_exception(request, exception):
        user = getattr(request, "user", None)
        if user is None or not user.is_authenticated or get_user_model().objects.filter(pk=user.pk).exists():
            return None
        logger.info("The account was deleted meanwhile: %s", exception)
        logout(request)
        return log_in_first(request)

    middleware.process_exception = process_exception
    return middleware
