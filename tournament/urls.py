"""The addresses of the books."""

from django.urls import path

from . import views

urlpatterns = [
    path("ranking/", views.ranking_now, name="ranking"),
    path("ranking/<slug:slug>/", views.season_ranking, name="season_ranking"),
    path("ranking/<slug:slug>/tabla.csv", views.season_csv, name="season_csv"),
]
