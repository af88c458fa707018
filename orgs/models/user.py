"""People, who sign in with their e-mail address. The one table that belongs to no organization."""

import unicodedata
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from orgs.models.tenant import new_id


def normal_email(text: str) -> str:
    """Spell an e-mail address in the one way in which it is kept and looked up."""
    return unicodedata.normalize("NFC", text).strip().lower()


class UserManager(BaseUserManager["User"]):
    """Makes users, and finds them by e-mail however it is spelled."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Keep a new person; without a password they cannot sign in with one."""
        user = self.model(email=normal_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Keep a new operator, who runs the installation and is no member anywhere."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Find a person by e-mail."""
        return self.get(email=normal_email(username or ""))


class User(AbstractBaseUser):
    """A person. `is_staff` and `is_superuser` are for operators; they open no organization's records."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(_("e-mail"), max_length=254, unique=True)
    name = models.CharField(_("name"), max_length=150, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("operator"), default=False)
    is_superuser = models.BooleanField(_("operator with every right"), default=False)
    joined_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")

    def clean(self) -> None:
        """Spell the e-mail address in its one way."""
        self.email = normal_email(self.email)

    def get_full_name(self) -> str:
        """Name the person, by their address if they gave no name."""
        return self.name or self.email

    def get_short_name(self) -> str:
        """Name the person briefly."""
        return self.name or self.email.partition("@")[0]

    def has_perm(self, _perm: str, _obj: Any = None) -> bool:
        """Open the operators' pages to operators; organizations ask `orgs.access` and never this."""
        return self.is_active and self.is_superuser

    def has_perms(self, perms: Any, obj: Any = None) -> bool:
        """Say the same of several at once."""
        return all(self.has_perm(perm, obj) for perm in perms)

    def has_module_perms(self, _app_label: str) -> bool:
        """Say the same of a whole application."""
        return self.is_active and self.is_superuser
