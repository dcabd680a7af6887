"""The group whose members review runs, and may do nothing else."""

from django.apps import apps as current

NAME = "Revisores"
RIGHTS = ("view_scoredrun", "review_scoredrun", "view_decision")


def make_group(*, apps=current, using="default", **_):
    """Make the group if it is missing. Called after each migration, for permissions are only there then; whoever has
    changed the group keeps it as it is."""
    try:
        groups, permissions = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    except LookupError:  # a project that stands before its first migrations
        return
    rights = permissions.objects.using(using).filter(content_type__app_label="tournament", codename__in=RIGHTS)
    if groups.objects.using(using).filter(name=NAME).exists() or rights.count() < len(RIGHTS):
        return
    group, _ = groups.objects.using(using).get_or_create(name=NAME)
    group.permissions.set(rights)
