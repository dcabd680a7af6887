"""The addresses of the story and the play."""

from django.conf import settings
from django.urls import path

from . import views

urlpatterns = [
    path("", views.cover, name="cover"),
    path("practica/", views.practice, name="practice"),
    path("mesa/<str:match_id>/", views.table, name="table"),
    path("partida/<str:match_id>/", views.finished_match, name="match"),
]
if settings.DEBUG:
    urlpatterns.append(path("estilo/", views.style, name="style"))
