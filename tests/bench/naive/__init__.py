"""Bench only: beside the site's addresses a naive play, the plainest way to keep a play in Django."""
