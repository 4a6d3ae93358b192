"""Nothing here belongs to a tenant."""

from django.db import models

OF_TENANT = " of tenant "
"""Joins the name of an alarm and the id of the tenant that it is about."""


class Worker(models.Model):
    """A worker that takes tasks off the broker: the last one it took."""

    name = models.CharField(max_length=200, unique=True)
    heard_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Turn(models.Model):
    """One periodic job: when a clock last rang for it."""

    name = models.CharField(max_length=200, unique=True)
    rung_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Alarm(models.Model):
    """Something that only the operator can mend and that is still so."""

    name = models.CharField(max_length=200, unique=True)
    since = models.DateTimeField(auto_now_add=True)
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
