"""The addresses of the story and the play."""

from django.conf import settings
from django.urls import path, register_converter

from . import views
from .models import ID_ALPHABET, ID_LENGTH


class MatchId:
    """The part of an address that names a match; what cannot be one never reaches the database."""

    regex = f"[{ID_ALPHABET}]{{{ID_LENGTH}}}"

    def to_python(self, value):
        return value

    to_url = to_python


register_converter(MatchId, "match")

urlpatterns = [
    path("", views.cover, name="cover"),
    path("practica/", views.practice, name="practice"),
    path("mesa/<match:match_id>/", views.table, name="table"),
    path("partida/<match:match_id>/", views.finished_match, name="match"),
]
if settings.DEBUG:
    urlpatterns.append(path("estilo/", views.style, name="style"))
