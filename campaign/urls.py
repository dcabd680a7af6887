"""The addresses of the story and the play."""

from django.conf import settings
from django.urls import path, register_converter

from . import analysis, finished, guide, guiding, people, previews, second_look, story, transparency, views
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
    path("transparencia/", transparency.transparency, name="transparency"),
    path("guia/<slug:slug>/", guide.example, name="example"),
    path("campana/", story.campaign, name="campaign"),
    path("campana/<id:run_id>/", story.run, name="run"),
    path("campana/<id:run_id>/<int:number>/", story.chapter, name="chapter"),
    path("campana/<id:run_id>/abandonar/", story.abandon, name="abandon"),
    path("campana/<id:run_id>/revision/", second_look.second_look, name="second_look"),
    path("jugadores/<name:name>/", people.player, name="player"),
    path("jugadores/<name:name>/insignias/<slug:badge>/", people.badge, name="badge"),
    path("jugadores/<name:name>/insignias/<slug:badge>/tarjeta.png", previews.badge_picture, name="badge_picture"),
    path("mesa/<id:match_id>/", views.table, name="table"),
    path("mesa/<id:match_id>/pista/", guiding.hint, name="hint"),
    path("mesa/<id:match_id>/guia/", guiding.lesson, name="lesson"),
    path("partida/<id:match_id>/", finished.finished_match, name="match"),
    path("partida/<id:match_id>/analisis/", analysis.analysis, name="analysis"),
    path("partida/<id:match_id>/compartir/", finished.share, name="share_match"),
    path("partida/<id:match_id>/borrar/", finished.delete, name="delete_match"),
    path("partida/<id:match_id>/tarjeta.png", previews.match_picture, name="match_picture"),
]
if settings.DEBUG:
    urlpatterns.append(path("estilo/", views.style, name="style"))
