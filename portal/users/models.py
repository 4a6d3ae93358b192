from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower

from portal.lib.row_locks import RowLockQuerySet


def validate_timezone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError("Choose a time zone such as Europe/Berlin.")


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> RowLockQuerySet["User"]:
        return RowLockQuerySet(self.model, using=self._db)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a person; the address is kept in lower case, since mail addresses are compared so."""
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    timezone = models.CharField(max_length=64, default="UTC", validators=[validate_timezone])
    dates = models.CharField(max_length=10, blank=True)
    """Which of the forms of `dates.Dates` their dates have; empty until the first sign-in."""
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="one_user_per_address")]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)
