"""The addresses of the story and the play."""

from django.conf import settings
from django.urls import path, register_converter

from . import finished, guide, people, story, views
from .models import ID_ALPHABET, ID_LENGTH


class Id:
    """The part of an address that names a match or a run; what cannot be one never reaches the database."""

    regex = f"[{ID_ALPHABET}]{{{ID_LENGTH}}}"

    def to_python(self, value):
        return value

    to_url = to_python


class Name(Id):
    """The part of an address that names a player, however it is spelt."""

    regex = r"[^/\x00-\x1f]{1,60}"


register_converter(Id, "id")
register_converter(Name, "name")

urlpatterns = [
    path("", views.cover, name="cover"),
    path("practica/", views.practice, name="practice"),
    path("guia/", guide.guide, name="guide"),
    path("campana/", story.campaign, name="campaign"),
    path("campana/<id:run_id>/", story.run, name="run"),
    path("campana/<id:run_id>/<int:number>/", story.chapter, name="chapter"),
    path("campana/<id:run_id>/abandonar/", story.abandon, name="abandon"),
    path("jugadores/<name:name>/", people.player, name="player"),
    path("mesa/<id:match_id>/", views.table, name="table"),
    path("partida/<id:match_id>/", finished.finished_match, name="match"),
]
if settings.DEBUG:
    urlpatterns.append(path("estilo/", views.style, name="style"))
