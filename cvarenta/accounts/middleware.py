"""Pages of the account are nobody else's to see: no cache keeps them, and Back after leaving shows nothing."""

from django.utils.cache import add_never_cache_headers

PREFIX = "/cuenta/"


def never_cache_accounts(get_response):
    def middleware(request):
        response = get_response(request)
        if request.path_info.startswith(PREFIX):
            add_never_cache_headers(response)
        return response

    return middleware
